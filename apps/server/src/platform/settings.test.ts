import { expect, test } from "vitest";
import { parseSettings, SettingsError } from "./settings.ts";

test("an empty environment gives the defaults", () => {
  expect(parseSettings({})).toMatchObject({ PORT: 3000, HOST: "localhost", FOLLOWSPOT_STEMS: "on" });
});

test("names every invalid, unknown and missing setting at once", () => {
  const wrong = { PORT: "99999", DATABASE_URL: "mysql://x", FOLLOWSPOT_SECRET: "short", FOLLOWSPOT_STEM: "on" };
  const problems = problemsOf(() => parseSettings(wrong));
  for (const name of Object.keys(wrong)) expect(problems).toContain(name);
});

test("accepts IPv6 addresses wherever an address is set", () => {
  expect(parseSettings({ HOST: "[::1]" }).HOST).toBe("::1");
  expect(parseSettings({ HOST: "::1" }).HOST).toBe("::1");
  const url = "http://[2001:db8::10]:3000";
  expect(parseSettings({ FOLLOWSPOT_PUBLIC_URL: `${url}/` }).FOLLOWSPOT_PUBLIC_URL).toBe(url);
  expect(parseSettings({ FOLLOWSPOT_ALLOWED_ORIGINS: url }).FOLLOWSPOT_ALLOWED_ORIGINS).toEqual([url]);
});

test("accepts a base path with or without a final slash, and server addresses with a path", () => {
  const parsed = (text: string) => parseSettings({ FOLLOWSPOT_BASE_PATH: text }).FOLLOWSPOT_BASE_PATH;
  expect([parseSettings({}).FOLLOWSPOT_BASE_PATH, parsed("/lights"), parsed("/stage/lamps/")]).toEqual([
    "",
    "/lights",
    "/stage/lamps",
  ]);
  for (const text of ["/", "lights", "//lights", "/a b", "/a?b", "/a#b", '/a"', "https://example.org/lights"])
    expect(problemsOf(() => parsed(text))).toContain("FOLLOWSPOT_BASE_PATH");
  const server = "https://example.org/lights";
  expect(problemsOf(() => parseSettings({ FOLLOWSPOT_PUBLIC_URL: server }))).toContain("FOLLOWSPOT_BASE_PATH");
  for (const name of ["FOLLOWSPOT_WORKER_SERVER", "FOLLOWSPOT_VENUE_SERVER"] as const) {
    expect(parseSettings({ [name]: `${server}/` })[name]).toBe(server);
    expect(problemsOf(() => parseSettings({ [name]: `${server}?a` }))).toContain(name);
  }
});

test("accepts only loopback addresses for the stand-in video site", () => {
  expect(problemsOf(() => parseSettings({ FOLLOWSPOT_TEST_VIDEO_SITE: "http://example.com" }))).toContain("loopback");
});

test("requires a sender with a mail server, and valid addresses", () => {
  const smtp = { FOLLOWSPOT_SMTP_URL: "smtp://localhost:25" };
  expect(problemsOf(() => parseSettings(smtp))).toContain("FOLLOWSPOT_MAIL_FROM");
  expect(parseSettings({ ...smtp, FOLLOWSPOT_MAIL_FROM: "night@example.org" })).toMatchObject(smtp);
  expect(problemsOf(() => parseSettings({ FOLLOWSPOT_SMTP_URL: "http://x" }))).toContain("smtp://");
  expect(problemsOf(() => parseSettings({ FOLLOWSPOT_SMS_WEBHOOK: "ftp://x" }))).toContain("http(s)://");
});

test("accepts a community name that fits into a mail subject", () => {
  const nameOf = (name: string) => parseSettings({ FOLLOWSPOT_COMMUNITY_NAME: name }).FOLLOWSPOT_COMMUNITY_NAME;
  expect(parseSettings({}).FOLLOWSPOT_COMMUNITY_NAME).toBe("Followspot");
  expect(nameOf(" Café Königsberg ")).toBe("Café Königsberg");
  for (const name of ["a\nBcc: eve@example.org", "  ", "x".repeat(61)])
    expect(() => nameOf(name)).toThrow("one line of at most 60 characters");
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

test("accepts only addresses and networks as trusted proxies", () => {
  const trusted = (text: string) => parseSettings({ FOLLOWSPOT_TRUST_PROXY: text }).FOLLOWSPOT_TRUST_PROXY;
  expect(trusted("127.0.0.1, 10.0.0.0/8,::1")).toEqual(["127.0.0.1", "10.0.0.0/8", "::1"]);
  expect(parseSettings({}).FOLLOWSPOT_TRUST_PROXY).toEqual([]);
  for (const text of ["everybody", "10.0.0.0/33", "1.2.3.4/8/8", "true"]) {
    expect(() => trusted(text)).toThrow("FOLLOWSPOT_TRUST_PROXY");
  }
});

test("accepts origins only in the form that browsers send", () => {
  const origins = (text: string) => parseSettings({ FOLLOWSPOT_ALLOWED_ORIGINS: text }).FOLLOWSPOT_ALLOWED_ORIGINS;
  expect(origins("https://app.example.org, http://localhost:5173")).toEqual([
    "https://app.example.org",
    "http://localhost:5173",
  ]);
  expect(parseSettings({}).FOLLOWSPOT_ALLOWED_ORIGINS).toEqual([]);
  for (const text of [
    "*",
    "null",
    "app.example.org",
    "https://app.example.org/",
    "https://App.example.org",
    "ftp://a",
  ]) {
    expect(problemsOf(() => origins(text))).toContain("FOLLOWSPOT_ALLOWED_ORIGINS: must be origins such as");
  }
});

test("accepts only valid IPv4 addresses for the search for nodes", () => {
  const asked = (text: string) => parseSettings({ FOLLOWSPOT_SEARCH_ADDRESSES: text }).FOLLOWSPOT_SEARCH_ADDRESSES;
  expect(asked("10.0.0.7, 10.0.0.8:6455")).toEqual(["10.0.0.7", "10.0.0.8:6455"]);
  expect(parseSettings({}).FOLLOWSPOT_SEARCH_ADDRESSES).toEqual([]);
  for (const text of ["999.1.1.1", "10.0.0.255:99999", "1.2", "10.0.0.7:0", "10.0.0.7:6454:1", "node.example"]) {
    expect(problemsOf(() => asked(text))).toContain("FOLLOWSPOT_SEARCH_ADDRESSES: must be IPv4 addresses");
  }
});

test.each(["http://proxy:8080", "https://ada:word@proxy.example:443", "socks5://127.0.0.1:1080/"])(
  "accepts the proxy %s",
  (given) => expect(parseSettings({ FOLLOWSPOT_PROXY: given }).FOLLOWSPOT_PROXY).toBe(given),
);

test.each(["proxy:8080", "ftp://ada:secret@proxy", "http://ada:secret@proxy/path", "http://", "socks4://secret@x"])(
  "refuses %s as a proxy, without repeating it",
  (given) => {
    expect(() => parseSettings({ FOLLOWSPOT_PROXY: given })).toThrow(/FOLLOWSPOT_PROXY: must be http/);
    expect(() => parseSettings({ FOLLOWSPOT_PROXY: given })).not.toThrow(/secret/);
  },
);

test("accepts only host names as sites of links", () => {
  const sites = (given: string) => parseSettings({ FOLLOWSPOT_LINK_SITES: given }).FOLLOWSPOT_LINK_SITES;
  expect(sites("SoundCloud.com, bandcamp.com,")).toEqual(["soundcloud.com", "bandcamp.com"]);
  for (const wrong of ["https://soundcloud.com", "*.com", "com", "10.0.0.1", "a..b", "x.com/y"])
    expect(() => sites(wrong)).toThrow("FOLLOWSPOT_LINK_SITES: must be hosts");
});

// kept: Doors | Other devices needed a new FOLLOWSPOT_SECRET, which made codes and links from before worthless | failed on the old code
test.each(["0.0.0.0", "::", "192.168.1.20"])(
  "%s needs no other setting: the secret of the data folder stays",
  (HOST) => {
    const settings = parseSettings({ HOST });
    expect([settings.HOST, settings.FOLLOWSPOT_SECRET]).toEqual([HOST, undefined]);
  },
);
