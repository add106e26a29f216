import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import Fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { registerConsole } from "./console.http.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

const INDEX = '<!doctype html><html lang="en"><head><title>Followspot</title></head></html>';
const STAGE = "<!doctype html><title>Stage</title>";
const SCRIPT = `console.log("${"shell ".repeat(500)}");`;

const dist = await folderUntil(afterAll);
await mkdir(join(dist, "assets"));
await writeFile(join(dist, "index.html"), INDEX);
await writeFile(join(dist, "stage.html"), STAGE);
await writeFile(join(dist, "assets/index-abc.js"), SCRIPT);
await writeFile(join(dist, "assets/index-abc.js.br"), brotliCompressSync(SCRIPT));
await writeFile(join(dist, "assets/index-abc.js.gz"), gzipSync(SCRIPT));
const app = openUntil(afterAll, Fastify());
app.setNotFoundHandler((_request, reply) => reply.code(404).send({ code: "unimplemented" }));
const SCREENS = [
  { path: "/preflight", scripts: ["assets/preflight-abc.js"], styles: [] },
  { path: "/events/$eventId/talks", scripts: ["assets/talks-abc.js"], styles: ["assets/talks-abc.css"] },
];
await writeFile(join(dist, "screens.json"), JSON.stringify(SCREENS));
/** Whom the server knows by their cookie. */
const sessionOf = async ({ cookie }: { readonly cookie?: string | undefined }) =>
  cookie?.includes("ada") ? { user: { name: "</script>Ada" } } : undefined;
await registerConsole(app, { dist, sessionOf });

const get = (url: string, headers: Readonly<Record<string, string>> = {}) => app.inject({ url, headers });
const script = (encoding?: string) =>
  get("/admin/assets/index-abc.js", encoding === undefined ? {} : { "accept-encoding": encoding });

// kept: Console | Scripts and responses were sent uncompressed | failed with the fault put back
test("sends what the build has packed, under its own type, to a browser that takes it", async () => {
  const brotli = await script("gzip, deflate, br");
  expect(brotli.headers).toMatchObject({
    "content-encoding": "br",
    "content-type": expect.stringMatching(/^(?:text|application)\/javascript/),
    "cache-control": "public, max-age=31536000, immutable",
    vary: expect.stringMatching(/accept-encoding/i),
  });
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(SCRIPT);
  const gzip = await script("gzip");
  expect(gzip.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(SCRIPT);
});

test("sends the plain file to everybody else", async () => {
  for (const plain of [await script(), await script("identity")]) {
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.payload).toBe(SCRIPT);
  }
});

test("gives each packing an ETag of its own, and 304 to who has it", async () => {
  const [plain, brotli] = [await script(), await script("br")];
  expect(brotli.headers.etag).not.toBe(plain.headers.etag);
  const again = await get("/admin/assets/index-abc.js", {
    "accept-encoding": "br",
    "if-none-match": String(brotli.headers.etag),
  });
  expect(again.statusCode).toBe(304);
});

// kept: Console | An unknown address was JSON, or a page without the console around it | also
test("answers every address of the console with the same page, asked for again each time", async () => {
  for (const path of ["/admin", "/admin/", "/admin/users?q=ada", "/admin/nowhere", "/admin/music//visualizer"]) {
    const { statusCode, payload, headers } = await get(path);
    expect([path, statusCode, payload, headers["cache-control"]]).toEqual([path, 200, INDEX, "private, no-cache"]);
  }
});

test("sends the page of a stage screen, which no search engine keeps and no site may frame", async () => {
  const { statusCode, payload, headers } = await get("/stage/01EVENT");
  expect([statusCode, payload]).toEqual([200, STAGE]);
  expect(headers).toMatchObject({
    "cache-control": "no-cache",
    "x-robots-tag": "noindex, nofollow",
    "x-frame-options": "DENY",
    "content-security-policy": expect.stringContaining("script-src 'self'"),
  });
  expect((await get("/stage/01EVENT/more")).statusCode).toBe(404);
});

test("does not take a missing file for a page", async () => {
  expect((await get("/admin/assets/index-old.js", { accept: "text/html" })).statusCode).toBe(404);
  expect((await get("/admin//assets/%2e%2e/secret.js")).statusCode).toBeGreaterThanOrEqual(403);
});

// kept: Console | An unknown address was JSON, or a page without the console around it | failed with the fault put back
test("tells a person in words that an address has no page, and a script as before", async () => {
  const person = await get("/whatever", { accept: "text/html,application/xhtml+xml" });
  expect([person.statusCode, person.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  expect(person.payload).toContain("This page does not exist.");
  const stranger = await get("/what%3Cscript%3E", { accept: "text/html" });
  expect(stranger.payload).toBe(person.payload);
  expect((await get("/whatever", { accept: "application/json" })).json()).toEqual({ code: "unimplemented" });
});

test("leads from its root to the public site, or to the console where there is none", async () => {
  const withSite = openUntil(afterAll, Fastify());
  await registerConsole(withSite, { dist, publicSite: "https://example.org/" });
  expect(await withSite.inject("/")).toMatchObject({ statusCode: 302, headers: { location: "https://example.org/" } });
  expect(await get("/")).toMatchObject({ statusCode: 302, headers: { location: "/admin" } });
});

test("names the files of the screen at an address, so that they come beside the first script", async () => {
  const linked = async (path: string) => [...(await get(path)).payload.matchAll(/href="([^"]+)"/g)].map(([, to]) => to);
  expect(await linked("/admin/preflight")).toEqual(["/admin/assets/preflight-abc.js"]);
  expect(await linked("/admin/preflight/?a=b")).toEqual(["/admin/assets/preflight-abc.js"]);
  expect(await linked("/admin/events/01ARZ3/talks")).toEqual([
    "/admin/assets/talks-abc.js",
    "/admin/assets/talks-abc.css",
  ]);
  for (const path of ["/admin", "/admin/events", "/admin/preflight/more"]) expect(await linked(path)).toEqual([]);
});

test("writes who is signed in and their theme into the page, which no cache keeps", async () => {
  const { payload, headers } = await get("/admin/users", { cookie: "followspot_session=ada; followspot_theme=light" });
  expect(payload).toContain('<html data-theme="light" lang="en">');
  const said = /<script type="application\/json" id="session">(.*?)<\/script>/.exec(payload)?.[1];
  expect(JSON.parse(said!)).toEqual({ user: { name: "</script>Ada" } });
  expect(headers["cache-control"]).toBe("private, no-cache");
  const stranger = await get("/admin/users", { cookie: 'followspot_theme="><script>' });
  expect(stranger.payload).not.toContain("session");
  expect(stranger.payload).toContain('<html lang="en">');
});

test("names the address for links in a page that was opened at an address of this machine only", async () => {
  const linked = openUntil(afterAll, Fastify());
  const origin = "http://192.168.1.10:3000";
  await registerConsole(linked, { dist, linkAddressFor: (host) => (host === "localhost" ? origin : undefined) });
  const page = async (host: string) => (await linked.inject({ url: "/admin", headers: { host } })).payload;
  expect(await page("localhost")).toContain(`<meta name="link-address" content="${origin}"></head>`);
  expect(await page("192.168.1.10")).toBe(INDEX);
});
