import { expect, test } from "vitest";
import { parseSettings, SettingsError } from "./settings.ts";

test("starts on defaults with an empty environment", () => {
  expect(parseSettings({})).toMatchObject({ PORT: 3000, HOST: "127.0.0.1", FOLLOWSPOT_STEMS: "on" });
});

test("names every wrong, unknown and missing setting at once", () => {
  const wrong = { PORT: "99999", DATABASE_URL: "mysql://x", FOLLOWSPOT_SECRET: "short", FOLLOWSPOT_STEM: "on" };
  const problems = problemsOf(() => parseSettings(wrong));
  for (const name of Object.keys(wrong)) expect(problems).toContain(name);
});

test("refuses to listen beyond loopback without a secret of its own", () => {
  expect(problemsOf(() => parseSettings({ HOST: "0.0.0.0" }))).toContain("FOLLOWSPOT_SECRET");
});

test("keeps the stand-in for the video site on loopback", () => {
  expect(problemsOf(() => parseSettings({ FOLLOWSPOT_TEST_VIDEO_SITE: "http://example.com" }))).toContain("loopback");
});

test("asks for a sender where a mail server is set, and for addresses that can be", () => {
  const smtp = { FOLLOWSPOT_SMTP_URL: "smtp://localhost:25" };
  expect(problemsOf(() => parseSettings(smtp))).toContain("FOLLOWSPOT_MAIL_FROM");
  expect(parseSettings({ ...smtp, FOLLOWSPOT_MAIL_FROM: "night@example.org" })).toMatchObject(smtp);
  expect(problemsOf(() => parseSettings({ FOLLOWSPOT_SMTP_URL: "http://x" }))).toContain("smtp://");
  expect(problemsOf(() => parseSettings({ FOLLOWSPOT_SMS_WEBHOOK: "ftp://x" }))).toContain("http(s)://");
});

function problemsOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof SettingsError) return error.problems.join("\n");
    throw error;
  }
  throw new Error("nothing was refused");
}

test("believes only proxies that are addresses or networks", () => {
  const trusted = (text: string) => parseSettings({ FOLLOWSPOT_TRUST_PROXY: text }).FOLLOWSPOT_TRUST_PROXY;
  expect(trusted("127.0.0.1, 10.0.0.0/8,::1")).toEqual(["127.0.0.1", "10.0.0.0/8", "::1"]);
  expect(parseSettings({}).FOLLOWSPOT_TRUST_PROXY).toEqual([]);
  for (const text of ["everybody", "10.0.0.0/33", "1.2.3.4/8/8", "true"]) {
    expect(() => trusted(text)).toThrow("FOLLOWSPOT_TRUST_PROXY");
  }
});
