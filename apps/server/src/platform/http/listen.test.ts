import { once } from "node:events";
import { request, type IncomingMessage, type RequestOptions } from "node:http";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { isSameOrigin, mayOpenSocket } from "../../community/auth/sessions.ts";
import { openUntil } from "../../testing/open-until.ts";
import { createHttpServer, routeUpgrades } from "./http-server.ts";
import { listen, requireFreePort } from "./listen.ts";
import { consoleAddresses } from "./own-address.ts";
import { parseSettings } from "../settings.ts";

const FOREIGN = "http://[::1]:1";
const DEFAULT = parseSettings({}).HOST;
const hasIPv6 = networkInterfaces().lo?.some(({ address }) => address === "::1") ?? false;

async function startAt(HOST: string, beforeListen: (app: Http["app"]) => void = () => undefined) {
  const caller = { userId: "ada", sessionId: "1", name: "Ada", roles: ["Admin"] as const };
  const http = await createHttpServer({
    noteFailure: () => undefined,
    authenticate: async (headers) => (isSameOrigin(headers) ? caller : undefined),
    trustProxy: [],
  });
  const { app, guard } = http;
  app.get("/", { onRequest: guard("Admin") }, async () => "page");
  routeUpgrades(app, () => ({ headers }, socket) => {
    const status = mayOpenSocket(headers, []) ? "101 Switching Protocols" : "403 Forbidden";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  });
  beforeListen(app);
  openUntil(onTestFinished, app);
  await listen(app, { HOST, PORT: 0 });
  return { app, port: (app.server.address() as AddressInfo).port };
}
type Http = Awaited<ReturnType<typeof createHttpServer>>;

/** Sends a request to `name`, which the system resolves to `address`. @returns status, or the code of the failure */
async function statusOf(port: number, name: string, address: string, headers: object = {}): Promise<unknown> {
  const lookup: RequestOptions["lookup"] = (_name, _options, answer) =>
    answer(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
  const host = `${name}:${port}`;
  const sent = request({ host: name.replace(/[[\]]/g, ""), port, lookup, headers: { host, ...headers } });
  sent.end();
  return new Promise((resolve) => {
    sent.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
    sent.on("response", (response: IncomingMessage) => resolve(response.resume().statusCode));
    sent.on("upgrade", ({ statusCode }: IncomingMessage, socket: Socket) => {
      socket.destroy();
      resolve(statusCode);
    });
  });
}

describe.skipIf(!hasIPv6).each([
  [DEFAULT, ["127.0.0.1", "::1"]],
  ["localhost", ["127.0.0.1", "::1"]],
  ["0.0.0.0", ["127.0.0.1", "::1"]],
  ["::", ["127.0.0.1", "::1"]],
  ["127.0.0.1", ["127.0.0.1"]],
  ["::1", ["::1"]],
])("with HOST %s", (HOST, listening) => {
  // kept: Doors | If the system resolves localhost to ::1, http://localhost:3000 did not open | failed on the old code
  test("accepts connections at these loopback addresses, by number and by name: %s", async () => {
    const { port } = await startAt(HOST);
    for (const address of ["127.0.0.1", "::1"])
      for (const name of ["localhost", address === "::1" ? "[::1]" : address]) {
        const opens = listening.includes(address);
        const own = { origin: `http://${name}:${port}` };
        const upgrade = { connection: "Upgrade", upgrade: "websocket" };
        const statusWith = (headers: object) => statusOf(port, name, address, headers);
        expect([name, address, await statusWith(own)]).toEqual([name, address, opens ? 200 : "ECONNREFUSED"]);
        if (!opens) continue;
        expect(await statusWith({})).toBe(200);
        expect(await statusWith({ origin: FOREIGN })).toBe(401);
        expect(await statusWith({ ...own, ...upgrade })).toBe(101);
        expect(await statusWith({ origin: FOREIGN, ...upgrade })).toBe(403);
      }
  });

  test("prints an address that works", async () => {
    const { port } = await startAt(HOST);
    const [printed] = consoleAddresses({ HOST, PORT: port, FOLLOWSPOT_PUBLIC_URL: undefined }, {});
    const { hostname } = new URL(printed);
    const [address] = listening;
    expect(await statusOf(port, hostname, address!)).toBe(200);
  });

  test("refuses a port that another program uses at one of the addresses", async () => {
    for (const address of listening) {
      const other = createServer().listen(0, address);
      openUntil(onTestFinished, other);
      await once(other, "listening");
      const { port: PORT } = other.address() as AddressInfo;
      await expect(requireFreePort({ HOST, PORT })).rejects.toThrow("EADDRINUSE");
    }
  });
});

test.skipIf(!hasIPv6)("keeps a connection to ::1 whose response takes longer than the limit of silence", async () => {
  const slow = Promise.withResolvers<string>();
  const { app, port } = await startAt("localhost", (app) =>
    app.get("/slow", ({ raw }) => {
      raw.socket.setTimeout(1);
      return slow.promise;
    }),
  );
  const response = fetch(`http://[::1]:${port}/slow`);
  await once(app.server, "timeout");
  slow.resolve("late");
  expect(await (await response).text()).toBe("late");
});

test("releases all addresses when the app is closed", async () => {
  const { app, port } = await startAt("localhost");
  await app.close();
  await requireFreePort({ HOST: "localhost", PORT: port });
});

// kept: Doors | A caller escaped the limit of rejected requests per address by using other addresses of an IPv6 network | failed on the old code
test.each([
  ["one IPv4 address", () => "203.0.113.7", "203.0.113.7", "203.0.113.8"],
  ["one IPv4 address over IPv6", () => "::ffff:203.0.113.7", "203.0.113.7", "::ffff:203.0.113.8"],
  [
    "all addresses of an IPv6 network",
    (i: number) => `2001:db8:1:2::${i.toString(16)}`,
    "2001:db8:1:2:9::9",
    "2001:db8:1:3::1",
  ],
])("limits rejected requests from %s together", async (_title, addressOf, same, other) => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const { app, guard } = await createHttpServer({
    noteFailure: () => undefined,
    authenticate: async () => undefined,
    trustProxy: ["127.0.0.1"],
    maxStrangers: 3,
  });
  openUntil(onTestFinished, app);
  app.get("/", { onRequest: guard("Admin") }, async () => "page");
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const statusFrom = async (from: string) => (await fetch(url, { headers: { "x-forwarded-for": from } })).status;
  for (let i = 1; i <= 3; i++) expect(await statusFrom(addressOf(i))).toBe(401);
  expect(await statusFrom(same)).toBe(429);
  expect(await statusFrom(other)).toBe(401);
});
