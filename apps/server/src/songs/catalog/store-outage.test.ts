import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sourceOfBytes } from "../../platform/blobs/blob-store.ts";
import { StoreWatch } from "../../platform/blobs/store-watch.ts";
import { openFaultyConnection, type ConnectionFault } from "../../testing/faulty-connection.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { openS3, S3_KEYS, startS3 } from "../../testing/s3-store.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const SONG = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const NEVER_SENT = "01ARZ3NDEKTSV4RRFFQ69G5FAA";
/** One hundred bytes, each with its own value. */
const SOUND = Buffer.from(Array.from({ length: 100 }, (_, i) => i));
/** Timeout of a silent connection; the product waits 6 s, ms. */
const SILENCE_MS = 300;

const answer = (status: string, code: string): Partial<ConnectionFault> => {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/xml\r\ncontent-length: ${body.length}\r\nconnection: close`;
  return { kind: "answer", text: `${head}\r\n\r\n${body}` };
};
/** HTML page with which a proxy answers instead of the store. */
const page = (status: string): Partial<ConnectionFault> => ({
  kind: "answer",
  text: `HTTP/1.1 ${status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: 7\r\nconnection: close\r\n\r\n<p>no\r\n`,
});
const FAULTS: Readonly<Record<string, Partial<ConnectionFault>>> = {
  "an internal error": answer("500 Internal Server Error", "InternalError"),
  "an overload": answer("503 Slow Down", "SlowDown"),
  "expired credentials": answer("400 Bad Request", "ExpiredToken"),
  "rejected credentials": answer("403 Forbidden", "AccessDenied"),
  silence: { kind: "silence" },
  "an empty response": { kind: "answer", text: "" },
  "a page with status 200": page("200 OK"),
  "a page with status 401": page("401 Unauthorized"),
  "a page with status 404": page("404 Not Found"),
  "a page with status 502": page("502 Bad Gateway"),
};

for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
const s3 = openUntil(afterAll, await startS3());
const connection = openUntil(afterAll, await openFaultyConnection(s3.port));
const store = openS3(connection.port, "office", SILENCE_MS);
let server: TestServer;
let admin: string;

beforeAll(async () => {
  const dataDir = await folderUntil(afterAll);
  server = openUntil(afterAll, await startTestServer({ dataDir, blobs: store }));
  admin = (await server.person("Ada", ["Admin"])).token;
  for (const song of [SONG, NEVER_SENT]) {
    await store.write(`songs/${song}/audio.mp3`, sourceOfBytes(SOUND));
    await store.write(`songs/${song}/hybrid.json`, sourceOfBytes(JSON.stringify({ song })));
  }
  await (await get(SONG, "audio.mp3")).arrayBuffer();
  // The copy is made in the background.
  const copies = () => readdir(join(dataDir, "cache", "songs")).catch(() => []);
  await vi.waitUntil(async () => (await copies()).some((name) => name.endsWith(".mp3")), 20_000);
});
beforeEach(() => {
  connection.faults = [];
});

const get = (song: string, name: string, headers: Record<string, string> = {}) =>
  fetch(`${server.base}/proxy/songs/${song}/${name}`, { headers: { authorization: `Bearer ${admin}`, ...headers } });

// kept: Songs and jobs | A page of a proxy in front of the S3 store was played as sound, or its file counted as missing | failed on the old code
describe.each(Object.keys(FAULTS))("while the S3 store responds with %s", (name) => {
  beforeEach(() => {
    connection.faults = [{ on: /./, times: Infinity, ...FAULTS[name] } as ConnectionFault];
  });

  // kept: Songs and jobs | While the S3 store failed, a song that had been played on this machine was silent | failed on the old code
  test("sound that was sent before is sent, whole and in parts", async () => {
    const whole = await get(SONG, "audio.mp3");
    expect([whole.status, Buffer.from(await whole.arrayBuffer())]).toEqual([200, SOUND]);
    const part = await get(SONG, "audio.mp3", { range: "bytes=10-19" });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, SOUND.subarray(10, 20)]);
  });

  test("sound without a copy is refused with the reason", async () => {
    const refused = await get(NEVER_SENT, "audio.mp3");
    expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
      503,
      expect.stringMatching(/^The (S3 store|credentials for the S3 store) .*\.$/),
    ]);
  });

  test("the watch names the fault, and clears it when the store responds again", async () => {
    const watch = new StoreWatch(store, () => undefined);
    await watch.look();
    expect(watch.reasons).toHaveLength(1);
    connection.faults = [];
    await watch.look();
    expect(watch.reasons).toEqual([]);
  });
});

// kept: Songs and jobs | A song's file was fetched from the S3 store again for each listener | failed on the old code
test("sound with a copy of its current version is not fetched again, and a new version is", async () => {
  connection.requests.splice(0);
  await (await get(SONG, "audio.mp3")).arrayBuffer();
  expect(connection.requests.filter((request) => request.startsWith("GET"))).toEqual([]);
  const other = Buffer.alloc(100, 7);
  await store.write(`songs/${SONG}/audio.mp3`, sourceOfBytes(other));
  expect(Buffer.from(await (await get(SONG, "audio.mp3")).arrayBuffer())).toEqual(other);
});
