import { afterAll, expect, test } from "vitest";
import { SESSION_COOKIE } from "../../community/auth/session-cookie.ts";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";

const APP = "https://app.example.org";
const USERS = "/followspot.user.v1.UserService/ListUsers";

const server = openUntil(
  afterAll,
  await startTestServer({ settings: { FOLLOWSPOT_ALLOWED_ORIGINS: [APP, "http://localhost:5173"] } }),
);
const token = (await server.person("Ada", ["Admin"])).token;

const preflight = (origin: string, path = USERS) =>
  fetch(server.base + path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    },
  });
const list = (headers: Record<string, string>) =>
  fetch(server.base + USERS, {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json", ...headers },
  });
const grantsOf = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith("access-control"));

test.each([USERS, "/api/songs/upload", "/nowhere"])("a preflight from an allowed origin permits %s", async (path) => {
  const answer = await preflight(APP, path);
  expect(answer.status).toBe(204);
  expect(answer.headers.get("access-control-allow-origin")).toBe(APP);
  expect(answer.headers.get("access-control-allow-headers")).toMatch(/^authorization, content-type, /);
  expect(answer.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST");
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
});

test("a page of an allowed origin can call with a token and read responses, including errors and their headers", async () => {
  const origin = "http://localhost:5173";
  const answers = [await list({ origin, authorization: `Bearer ${token}` }), await list({ origin })];
  expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  for (const { headers } of answers) {
    expect(headers.get("access-control-allow-origin")).toBe(origin);
    expect(headers.get("access-control-expose-headers")).toContain("retry-after, x-request-id");
    expect(headers.get("vary")).toMatch(/\borigin\b/);
  }
});

test("a session cookie is ignored in requests from other origins, allowed or not", async () => {
  const cookie = `${SESSION_COOKIE}=${token}`;
  expect((await list({ origin: APP, cookie })).status).toBe(401);
  expect((await list({ origin: server.base, cookie })).status).toBe(200);
});

test("an origin that is not allowed gets no CORS headers, even if its name starts or ends like an allowed one", async () => {
  for (const origin of ["https://other.example", `${APP}.evil.example`, "http://app.example.org", "null"]) {
    expect(grantsOf(await preflight(origin))).toEqual([]);
    expect(grantsOf(await list({ origin, authorization: `Bearer ${token}` }))).toEqual([]);
  }
});

test("without allowed origins, no page of another origin may call", async () => {
  const closed = await startTestServer();
  const answer = await fetch(closed.base + USERS, {
    method: "OPTIONS",
    headers: { origin: APP, "access-control-request-method": "POST" },
  });
  await closed.close();
  expect([answer.status, grantsOf(answer), answer.headers.get("vary")]).toEqual([401, [], null]);
});
