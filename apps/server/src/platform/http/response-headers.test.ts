import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { createHttpServer } from "./http-server.ts";
import { httpsOnlyHost } from "./response-headers.ts";
import { parseSettings } from "../settings.ts";

const HOST = "nights.example.org";
const SESSION = "/followspot.auth.v1.AuthService/GetSession";

const server = openUntil(afterAll, await startTestServer());
const { token } = await server.person("Ada", ["Admin"]);

// kept: Doors | Caches were allowed to store responses that contain people | failed on the old code
test.each([
  ["a call", "POST", SESSION, 200, token],
  ["a refused call", "POST", SESSION, 401, undefined],
  ["a call of an unknown method", "POST", "/followspot.auth.v1.AuthService/Unknown", 404, token],
  ["a call by GET", "GET", SESSION, 405, token],
  ["calls together", "POST", "/api/calls", 200, token],
  ["the health", "GET", "/health", 200, undefined],
  ["the metrics", "GET", "/metrics", 200, token],
  ["refused metrics", "GET", "/metrics", 401, undefined],
  ["an unknown address", "GET", "/unknown", 404, undefined],
])("no cache stores the response to %s", async (_title, method, path, status, bearer) => {
  const body =
    path === "/api/calls" ? JSON.stringify([{ method: "auth.v1.AuthService/GetSession", message: {} }]) : "{}";
  const response = await fetch(server.base + path, {
    method,
    headers: { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) },
    ...(method === "POST" && { body }),
  });
  expect([response.status, response.headers.get("cache-control")]).toEqual([status, "no-store"]);
});

/** Returns the headers of a response that a proxy on this machine asks for. */
async function headersOf(httpsOnly: string | undefined, headers: Record<string, string>) {
  const { app } = await createHttpServer({
    noteFailure: () => undefined,
    authenticate: async () => undefined,
    trustProxy: ["127.0.0.1"],
    httpsOnlyHost: httpsOnly,
  });
  openUntil(onTestFinished, app);
  app.get("/", (_request, reply) => reply.header("cache-control", "max-age=60").send("page"));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const [response] = (await once(request({ host: "127.0.0.1", port, headers }).end(), "response")) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
  return response.headers;
}

test("a route may allow caches", async () => {
  expect(await headersOf(undefined, {})).toMatchObject({ "cache-control": "max-age=60" });
});

describe("asks browsers to open a host by https only, and to isolate its windows", () => {
  const STRICT = "max-age=31536000";
  const OWN = { FOLLOWSPOT_PUBLIC_URL: `https://${HOST}` };
  const FILES = { ...OWN, FOLLOWSPOT_TLS_CERT: "a", FOLLOWSPOT_TLS_KEY: "b" };
  test.each([
    ["https of a proxy", OWN, "https", HOST, STRICT],
    ["https of a proxy with a port", OWN, "https", `${HOST}:8443`, STRICT],
    ["a certificate by ACME", { FOLLOWSPOT_ACME: HOST }, "https", HOST, STRICT],
    ["a certificate of the settings", FILES, "https", HOST, STRICT],
    ["plain http", OWN, "http", HOST, undefined],
    ["another name of the machine", OWN, "https", "localhost", undefined],
    ["a host without a public address", {}, "https", HOST, undefined],
    ["a public address by plain http", { FOLLOWSPOT_PUBLIC_URL: `http://${HOST}` }, "https", HOST, undefined],
    ["a host with other pages", { ...OWN, FOLLOWSPOT_BASE_PATH: "/lights" }, "https", HOST, undefined],
    ["a certificate that devices must trust first", { ...OWN, FOLLOWSPOT_HTTPS: "on" }, "https", HOST, undefined],
  ])("%s", async (_title, given, protocol, host, strict) => {
    const settings = parseSettings(given as Record<string, string>);
    const headers = await headersOf(httpsOnlyHost(settings), { host, "x-forwarded-proto": protocol });
    expect([headers["strict-transport-security"], headers["cross-origin-opener-policy"]]).toEqual([
      strict,
      protocol === "https" ? "same-origin" : undefined,
    ]);
  });
});
