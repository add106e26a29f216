import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { SESSION_COOKIE } from "./session-cookie.ts";
import { mayOpenSocket } from "./sessions.ts";

/** A console opened over plain HTTP on a LAN. Browsers send Sec-Fetch-Site to https and to loopback only. */
const HOST = "192.168.1.10:3000";
const OWN = `http://${HOST}`;
const FOREIGN = "http://192.168.1.66:3000";
const IMAGE = "01JD0000000000000000000001";

const server = openUntil(afterAll, await startTestServer({ dataDir: await folderUntil(afterAll) }));
const { token } = await server.person("Ada", ["Admin"]);
await server.sql`insert into images (id, mime_type, bytes) values (${IMAGE}, 'image/png', ${Buffer.from("png")})`;

/** Each kind of route that authenticates a caller, and the status of an admitted request. */
const ROUTES = [
  ["GET", `/media/${IMAGE}`, 200],
  ["HEAD", `/media/${IMAGE}`, 200],
  ["GET", "/proxy/songs/01JD0000000000000000000002/hybrid.json", 404],
  ["GET", "/api/recordings/01JD0000000000000000000003", 404],
  ["POST", "/followspot.user.v1.UserService/ListUsers", 200],
] as const;
const COOKIE = { cookie: `${SESSION_COOKIE}=${token}` };
const BEARER = { authorization: `Bearer ${token}` };
const SITES = [undefined, "same-origin", "same-site", "cross-site", "none", "", "nonsense"] as const;
const ORIGINS = [undefined, OWN, FOREIGN, "null"] as const;
const CASES = SITES.flatMap((site) => ORIGINS.map((origin) => ({ site, origin })));

/** Whether the cookie of such a request counts: Origin decides; without one, Sec-Fetch-Site may be absent or same-origin. */
const isAdmitted = ({ site, origin }: (typeof CASES)[number]): boolean =>
  origin === undefined ? site === undefined || site === "same-origin" : origin === OWN;

const headersOf = ({ site, origin }: (typeof CASES)[number]) => ({
  host: HOST,
  ...(site !== undefined && { "sec-fetch-site": site }),
  ...(origin !== undefined && { origin }),
});

/** Sends exactly these headers; fetch would add others. */
async function statusOf(method: string, path: string, headers: Record<string, string>): Promise<number | undefined> {
  const sent = request(server.base + path, {
    method,
    headers: { ...headers, ...(method === "POST" && { "content-type": "application/json" }) },
  });
  sent.end(method === "POST" ? "{}" : undefined);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe.each(ROUTES)("%s %s over plain HTTP", (method, path, admitted) => {
  // kept: Doors | On plain HTTP in a LAN every GET with the session cookie was refused with 401 | failed on the old code
  test("accepts the session cookie unless Origin or Sec-Fetch-Site names another site", async () => {
    for (const each of CASES) {
      const status = await statusOf(method, path, { ...headersOf(each), ...COOKIE });
      expect({ ...each, status }).toEqual({ ...each, status: isAdmitted(each) ? admitted : 401 });
    }
  });

  test("accepts a bearer token whatever Origin and Sec-Fetch-Site name, and refuses a request without credentials", async () => {
    for (const each of CASES) {
      expect(await statusOf(method, path, { ...headersOf(each), ...BEARER })).toBe(admitted);
      expect(await statusOf(method, path, headersOf(each))).toBe(401);
    }
  });
});

test("a WebSocket upgrade over plain HTTP is accepted by Origin alone", () => {
  // Browsers send Origin with every upgrade; scripts may leave it out.
  for (const each of CASES)
    expect({ ...each, opens: mayOpenSocket(headersOf(each), []) }).toEqual({
      ...each,
      opens: each.origin === undefined || each.origin === OWN,
    });
});
