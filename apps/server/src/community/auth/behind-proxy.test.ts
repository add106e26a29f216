import { afterEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
afterEach(() => server.close());

const verify = (target: string, code: string, from: string) =>
  server.call("auth.v1.AuthService/VerifyLoginCode", { target, code }, undefined, { "x-forwarded-for": from });

async function codeOf(target: string, from: string): Promise<string> {
  await server.person(target, [], target);
  await server.call("auth.v1.AuthService/SendLoginCode", { target }, undefined, { "x-forwarded-for": from });
  return server.codes.at(-1)!.code;
}

/** Tries wrong codes for unknown users, which count against the address only. */
async function guess(from: string, times: number): Promise<(string | undefined)[]> {
  const answers = [];
  for (let i = 0; i < times; i++) answers.push(await verify(`guess${i}@example.org`, "000000", from));
  return answers.map(({ code }) => code);
}

// kept: Doors | Behind a proxy one person's wrong codes locked everybody out | failed on the old code
test("behind a trusted proxy, wrong codes of one client lock out no other client", async () => {
  server = await startTestServer({ settings: { FOLLOWSPOT_TRUST_PROXY: ["127.0.0.1"] } });
  const code = await codeOf("bea@example.org", "203.0.113.7");
  expect((await guess("203.0.113.9", 101)).at(-1)).toBe("resource_exhausted");
  expect((await verify("bea@example.org", code, "203.0.113.7")).status).toBe(200);
});

test("ignores forwarded addresses of an untrusted proxy", async () => {
  server = await startTestServer();
  for (let i = 0; i < 100; i++) await verify(`guess${i}@example.org`, "000000", `203.0.113.${i}`);
  expect((await verify("cy@example.org", "000000", "203.0.113.99")).code).toBe("resource_exhausted");
});

// kept: Doors | One right code made the wrong ones of its address forgotten | failed on the old code
test("a correct code does not reset the count of wrong codes from the same address", async () => {
  server = await startTestServer();
  const code = await codeOf("di@example.org", "");
  await guess("", 99);
  expect((await verify("di@example.org", code, "")).status).toBe(200);
  expect((await verify("guess@example.org", "000000", "")).code).toBe("unauthenticated");
  expect((await verify("guess@example.org", "000000", "")).code).toBe("resource_exhausted");
});
