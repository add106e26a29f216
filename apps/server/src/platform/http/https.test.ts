import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { stat, writeFile } from "node:fs/promises";
import { request as plainRequest, type IncomingMessage } from "node:http";
import { request as secureRequest } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import Fastify from "fastify";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { isTrustPath, registerTrustPage } from "../../api/console/trust-page.http.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { namesOfMachine, readOwnCertificate } from "./authority.ts";
import { createAuthority, createServerCertificate } from "./certificates.ts";
import { createHttpServer, routeUpgrades } from "./http-server.ts";
import { acceptTls, openHttps, prepareCertificate, redirectToHttps } from "./https.ts";
import { listen } from "./listen.ts";
import { parseSettings } from "../settings.ts";

const DAY_MS = 86_400_000;
const NAMES = ["localhost", "box.local", "127.0.0.1", "::1", "192.168.1.10", "2001:db8::10"];
const hasIPv6 = networkInterfaces().lo?.some(({ address }) => address === "::1") ?? false;

const dataDir = await folderUntil(afterAll);
const settingsOf = (more: Record<string, string> = {}) => parseSettings({ FOLLOWSPOT_DATA_DIR: dataDir, ...more });

/** Starts a server at `localhost` as main-api does. */
async function startAt(settings = settingsOf(), slow: Promise<string> = Promise.resolve("")) {
  const { app } = await createHttpServer({
    noteFailure: () => undefined,
    authenticate: async () => undefined,
    trustProxy: [],
  });
  openUntil(onTestFinished, app);
  const https = openUntil(onTestFinished, await openHttps(settings, () => undefined));
  redirectToHttps(app, () => false);
  acceptTls(app.server, https.tls);
  app.get("/", async ({ protocol }) => protocol);
  app.get("/slow", () => slow);
  routeUpgrades(
    app,
    () => (_request, socket) =>
      socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
  );
  await listen(app, { HOST: "localhost", PORT: 0 });
  return { app, authority: https.authority, port: (app.server.address() as AddressInfo).port };
}

async function answerOf(send: typeof plainRequest, options: object): Promise<readonly [number | undefined, string]> {
  const sent = send(options);
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const bytes of response) text += String(bytes);
  return [response.statusCode, text];
}

describe.each(["127.0.0.1", ...(hasIPv6 ? ["::1"] : [])])("at %s", (host) => {
  test("one port answers https with a certificate of the authority, and plain requests from this machine", async () => {
    const { port, authority } = await startAt();
    expect(await answerOf(secureRequest as typeof plainRequest, { host, port, ca: authority })).toEqual([200, "https"]);
    expect(await answerOf(plainRequest, { host, port })).toEqual([200, "http"]);
    await expect(answerOf(secureRequest as typeof plainRequest, { host, port })).rejects.toThrow(/certificate/);
  });

  test("opens WebSockets over TLS", async () => {
    const { port, authority } = await startAt();
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    const sent = secureRequest({ host, port, ca: authority, headers });
    sent.end();
    const [{ statusCode }, socket] = (await once(sent, "upgrade")) as [IncomingMessage, Socket];
    socket.destroy();
    expect(statusCode).toBe(101);
  });
});

test("keeps a TLS connection whose response takes longer than the limit of silence", async () => {
  const slow = Promise.withResolvers<string>();
  const { app, port, authority } = await startAt(settingsOf(), slow.promise);
  app.server.once("request", ({ socket }: IncomingMessage) => {
    socket.setTimeout(1);
    app.server.once("timeout", () => slow.resolve("late"));
  });
  const options = { host: "127.0.0.1", port, path: "/slow", ca: authority };
  expect(await answerOf(secureRequest as typeof plainRequest, options)).toEqual([200, "late"]);
});

test("requests of other machines are redirected to https, except those of the trust page", async () => {
  const app = openUntil(onTestFinished, Fastify());
  redirectToHttps(app, ({ url }) => isTrustPath(url));
  const { cert } = createAuthority("Followspot on box");
  registerTrustPage(app, cert, "/lights");
  app.get("/admin", async () => "console");
  const from = (remoteAddress: string, url: string) =>
    app.inject({ url, remoteAddress, headers: { host: "192.168.1.10:3000" } });
  for (const address of ["192.168.1.66", "2001:db8::66", "::ffff:192.168.1.66"]) {
    const { statusCode, headers } = await from(address, "/admin?a=b");
    expect([statusCode, headers.location]).toEqual([308, "https://192.168.1.10:3000/admin?a=b"]);
    const page = await from(address, "/trust");
    expect(page.statusCode).toBe(200);
    expect(page.payload).toContain(new X509Certificate(cert).fingerprint256);
    expect(page.payload).toContain('href="/lights/trust/followspot.crt"');
    const file = await from(address, "/trust/followspot.crt");
    expect(file.headers["content-type"]).toBe("application/x-x509-ca-cert");
    expect(new X509Certificate(file.rawPayload).toString()).toBe(cert);
  }
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    expect((await from(address, "/admin")).statusCode).toBe(200);
});

test("a trusted proxy on another machine that reports https is answered", async () => {
  const app = openUntil(onTestFinished, Fastify({ trustProxy: "192.168.1.66" }));
  redirectToHttps(app, () => false);
  app.get("/admin", async () => "console");
  const from = (remoteAddress: string, protocol: string) =>
    app.inject({ url: "/admin", remoteAddress, headers: { "x-forwarded-proto": protocol } });
  expect((await from("192.168.1.66", "https")).statusCode).toBe(200);
  expect((await from("192.168.1.66", "http")).statusCode).toBe(308);
  expect((await from("192.168.1.67", "https")).statusCode).toBe(308);
});

describe("the authority of a data folder", () => {
  test("is created once, with keys that only the owner can read", async () => {
    const folder = await folderUntil(onTestFinished);
    const first = await readOwnCertificate(folder, NAMES, "Followspot on box");
    expect(await readOwnCertificate(folder, NAMES, "Followspot on box")).toEqual(first);
    const authority = new X509Certificate(first.authority);
    expect(authority.ca).toBe(true);
    expect(Date.parse(authority.validTo) - Date.now()).toBeGreaterThan(3650 * DAY_MS);
    for (const name of ["authority.pem", "server.pem"])
      expect((await stat(join(folder, "tls", name))).mode & 0o777).toBe(0o600);
  });

  test("signs a certificate for all names, and another one when a name is added or it expires", async () => {
    const folder = await folderUntil(onTestFinished);
    const first = await readOwnCertificate(folder, NAMES, "Followspot on box");
    const certificate = new X509Certificate(first.server.cert);
    expect(certificate.verify(new X509Certificate(first.authority).publicKey)).toBe(true);
    for (const name of NAMES) expect(certificate.checkHost(name) ?? certificate.checkIP(name)).toBe(name);
    expect(certificate.checkHost("other.local")).toBeUndefined();

    const more = await readOwnCertificate(folder, [...NAMES, "other.local"], "Followspot on box");
    expect(more.authority).toBe(first.authority);
    expect(new X509Certificate(more.server.cert).checkHost("other.local")).toBe("other.local");

    vi.setSystemTime(Date.now() + 368 * DAY_MS);
    onTestFinished(() => void vi.useRealTimers());
    const later = await readOwnCertificate(folder, NAMES, "Followspot on box");
    expect(later.authority).toBe(first.authority);
    expect(Date.parse(new X509Certificate(later.server.cert).validTo)).toBeGreaterThan(Date.now() + 390 * DAY_MS);
  });

  test("names the machine with all its addresses, the address it listens at, and the public one", () => {
    const card = (address: string) => ({
      ...{ address, netmask: "", mac: "", cidr: null, internal: false },
      ...(address.includes(":") ? { family: "IPv6" as const, scopeid: 0 } : { family: "IPv4" as const }),
    });
    const interfaces = { lo: [card("127.0.0.1"), card("::1")], wlan0: [card("192.168.1.10"), card("fe80::1")] };
    const names = (more: object) =>
      namesOfMachine({ HOST: "0.0.0.0", FOLLOWSPOT_PUBLIC_URL: undefined, ...more }, interfaces, "Box.local");
    const own = ["localhost", "box", "box.local", "127.0.0.1", "::1", "192.168.1.10"];
    expect(names({})).toEqual(own);
    expect(names({ HOST: "night.example" })).toEqual([...own, "night.example"]);
    expect(names({ FOLLOWSPOT_PUBLIC_URL: "https://[2001:db8::10]:3000" })).toEqual([...own, "2001:db8::10"]);
  });
});

describe("a server with a certificate from the settings", () => {
  const write = async (name: string) => {
    const pair = createServerCertificate(createAuthority("Test"), ["localhost"]);
    await writeFile(join(dataDir, `${name}.crt`), pair.cert);
    await writeFile(join(dataDir, `${name}.key`), pair.key);
    return new X509Certificate(pair.cert).fingerprint256;
  };
  const files = (cert: string, key: string) =>
    settingsOf({ FOLLOWSPOT_TLS_CERT: join(dataDir, cert), FOLLOWSPOT_TLS_KEY: join(dataDir, key) });

  test("presents the new certificate after its files have changed, without a restart", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const before = await write("own");
    const settings = files("own.crt", "own.key");
    expect(settings.FOLLOWSPOT_HTTPS).toBe("on");
    expect(await prepareCertificate(settings)).toBeUndefined();
    const { port } = await startAt(settings);
    expect(await fingerprintAt(port)).toBe(before);
    const after = await write("own");
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(async () => expect(await fingerprintAt(port)).toBe(after), { timeout: 20_000 });
  });

  test("refuses a file that is missing, and a key of another certificate", async () => {
    await write("one");
    await write("two");
    await expect(prepareCertificate(files("none.crt", "one.key"))).rejects.toThrow("ENOENT");
    await expect(prepareCertificate(files("one.crt", "two.key"))).rejects.toThrow(/key/);
    expect(() => settingsOf({ FOLLOWSPOT_TLS_CERT: "a" })).toThrow("FOLLOWSPOT_TLS_KEY");
    expect(() => settingsOf({ FOLLOWSPOT_TLS_KEY: "a" })).toThrow("FOLLOWSPOT_TLS_CERT");
  });
});

/** Returns the SHA-256 fingerprint of the certificate at a port without verifying it. */
async function fingerprintAt(port: number): Promise<string> {
  const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { fingerprint256 } = socket.getPeerX509Certificate()!;
  socket.destroy();
  return fingerprint256;
}
