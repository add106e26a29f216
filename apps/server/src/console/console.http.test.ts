import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import Fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { registerConsole } from "./console.http.ts";
import { folderUntil, openUntil } from "../testing/open-until.ts";

const INDEX = "<!doctype html><title>Followspot</title>";
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
await registerConsole(app, { dist });

const get = (url: string, headers: Readonly<Record<string, string>> = {}) => app.inject({ url, headers });
const script = (encoding?: string) =>
  get("/admin/assets/index-abc.js", encoding === undefined ? {} : { "accept-encoding": encoding });

// kept: Console | Scripts and answers were sent unpacked | failed with the fault put back
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
    expect([path, statusCode, payload, headers["cache-control"]]).toEqual([path, 200, INDEX, "no-cache"]);
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
