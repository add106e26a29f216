import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, request, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { Code } from "@connectrpc/connect";
import { AuthService } from "@followspot/contract/auth";
import { connect as connectTo } from "@followspot/contract/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer, type TestServer, type Wire } from "../../testing/test-server.ts";

const FILES = '<link rel="icon" href="/admin/assets/mark.svg"><script type="module" src="/admin/assets/a.js"></script>';
const GUEST = `<link rel="manifest" href="/me/manifest.webmanifest">${FILES}`;
const HTML = { accept: "text/html" };
const UPGRADE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};
/** Addresses that people open, and the path that the server then works with. */
const PAGES = ["/admin", "/admin/events/01JD/talks?q=a", "/me", "/stage/default", "/player"];

const dist = await folderUntil(afterAll);
await mkdir(join(dist, "assets"));
const pageOf = (head: string) => `<!doctype html><html lang="en"><head>${head}</head><body></body></html>`;
for (const name of ["index", "stage", "player"]) await writeFile(join(dist, `${name}.html`), pageOf(FILES));
await writeFile(join(dist, "guest.html"), pageOf(GUEST));
for (const name of ["assets/mark.svg", "assets/a.js", "guest-worker.js"]) await writeFile(join(dist, name), "1");

/** A proxy that passes requests below the base path on unchanged, and answers 418 to all others. */
async function startProxy(basePath: string, server: string) {
  const { port, hostname: host } = new URL(server);
  const isOurs = (url = "") => url === basePath || url.startsWith(`${basePath}/`) || url.startsWith(`${basePath}?`);
  const proxy = createServer((asked, response) => {
    const { url, method, headers } = asked;
    if (!isOurs(url)) return void response.writeHead(418).end();
    const passed = request({ host, port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    asked.pipe(passed);
  });
  proxy.on("upgrade", ({ url, rawHeaders }, socket) => {
    if (!isOurs(url)) return void socket.destroy();
    const fields = rawHeaders.map((text, i) => text + (i % 2 === 0 ? ": " : "\r\n")).join("");
    const passed = connect(Number(port), host, () => passed.write(`GET ${url} HTTP/1.1\r\n${fields}\r\n`));
    passed.pipe(socket).pipe(passed);
  });
  openUntil(afterAll, proxy.listen(0, "127.0.0.1"));
  await once(proxy, "listening");
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

// kept: Doors | Followspot worked at the root of a host only, not below a path of a proxy | failed on the old code
describe.each(["/lights", "/stage/lamps", ""])("with the base path '%s'", (basePath) => {
  let server: TestServer;
  let proxy: string;
  beforeAll(async () => {
    server = openUntil(
      afterAll,
      await startTestServer({ consoleDist: dist, settings: { FOLLOWSPOT_BASE_PATH: basePath } }),
    );
    proxy = await startProxy(basePath, server.base);
  });
  const get = (address: string, headers: Record<string, string> = {}) =>
    fetch(new URL(address, proxy), { headers, redirect: "manual" });

  const jsonAt = async (path: string): Promise<Wire> => (await get(basePath + path)).json();

  test.each(PAGES)("all addresses in %s lead through the proxy", async (path) => {
    const page = await get(basePath + path, HTML);
    expect(page.status).toBe(200);
    const text = await page.text();
    const named = [...text.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, address]) => address!);
    expect(named.length).toBeGreaterThan(1);
    for (const address of named) expect([address, (await get(address)).status]).toEqual([address, 200]);
    const told = /<meta name="base-path" content="([^"]*)">/.exec(text)?.[1];
    expect(told).toBe(basePath === "" ? undefined : basePath);
  });

  test("all addresses in the manifest of the guest page lead through the proxy", async () => {
    const { id, start_url, scope, icons } = await jsonAt("/me/manifest.webmanifest");
    for (const address of [id, start_url, scope, icons[0].src])
      expect([address, (await get(address)).status]).toEqual([address, 200]);
    const worker = await get(`${basePath}/me/worker.js`);
    expect(worker.headers.get("service-worker-allowed")).toBe(scope);
  });

  test("its root and unknown addresses lead to the console", async () => {
    for (const root of basePath === "" ? ["/"] : [basePath, `${basePath}/`, `${basePath}?a=b`])
      expect((await get(root)).headers.get("location")).toBe(`${basePath}/admin`);
    const unknown = await get(`${basePath}/unknown`, HTML);
    expect(unknown.status).toBe(404);
    expect(await unknown.text()).toContain(`href="${basePath}/admin"`);
  });

  test("calls and sockets arrive", async () => {
    for (const path of ["/ws/events", "/lights/desk", "/lights/playback/01JD"]) {
      const sent = request(new URL(basePath + path, proxy), { headers: UPGRADE });
      sent.end();
      const [{ statusCode }, socket] = (await once(sent, "upgrade")) as [IncomingMessage, Socket];
      expect([path, statusCode]).toEqual([path, 101]);
      socket.destroy();
    }
    const { getSession } = connectTo({ baseUrl: `${proxy}${basePath}/` }).service(AuthService);
    await expect(getSession({})).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  test("the session cookie is for the base path alone", async () => {
    const target = "ada@example.org";
    await server.person("Ada", [], target);
    const call = (method: string, body: object) =>
      fetch(`${proxy}${basePath}/followspot.auth.v1.AuthService/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    await call("SendLoginCode", { target });
    const { headers } = await call("VerifyLoginCode", { target, code: server.codes.at(-1)!.code });
    expect(headers.get("set-cookie")).toContain(`Path=${basePath || "/"};`);
  });

  test("the descriptions of the API name addresses below it", async () => {
    const [openApi, asyncApi] = await Promise.all([jsonAt("/api/openapi.json"), jsonAt("/api/asyncapi.json")]);
    expect(openApi.servers).toEqual([{ url: basePath || "/" }]);
    expect(asyncApi.channels.events.address).toBe(`${basePath}/ws/events`);
  });

  test("a page that is opened at the server itself moves below it, and other requests are answered", async () => {
    const direct = (path: string, headers: Record<string, string>) =>
      fetch(server.base + path, { headers, redirect: "manual" });
    for (const path of PAGES) {
      const page = await direct(path, HTML);
      expect([page.status, page.headers.get("location")]).toEqual(
        basePath === "" ? [200, null] : [302, basePath + path],
      );
    }
    expect((await direct("/api/openapi.json", {})).status).toBe(200);
  });
});
