import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openFaultyConnection } from "../../testing/faulty-connection.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { BUCKET, openS3, S3_KEYS, startS3 } from "../../testing/s3-store.ts";
import { sourceOfBytes, sourceOfFile, type BlobStore, type ReadBlob } from "./blob-store.ts";
import { FolderBlobs } from "./folder-blobs.ts";

const SONG = "songs/01JD0000000000000000000001";
const KEY = `${SONG}/audio.mp3`;
/** More than two parts of an upload. */
const LARGE = randomBytes(18 * 1024 ** 2);
const SILENCE_MS = 400;

const folder = await folderUntil(afterAll);
const s3 = openUntil(afterAll, await startS3());
const connection = openUntil(afterAll, await openFaultyConnection(s3.port));
for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
/** Prevents the use of credentials of this machine. */
for (const name of ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"]) vi.stubEnv(name, join(folder, name));
vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function bytesOf(blob: ReadBlob | undefined): Promise<Buffer | undefined> {
  return blob && Buffer.concat(await all(blob.chunks));
}
const keysOf = async (store: BlobStore, prefix: string) => (await all(store.list(prefix))).map(({ key }) => key).sort();

let tests = 0;
describe.each([
  ["a folder", async () => new FolderBlobs(join(folder, `data-${++tests}`))],
  ["an S3 bucket", async () => openS3(s3.port, `prefix-${++tests}`)],
] as const)("files in %s", (_where, open) => {
  let store: BlobStore;
  beforeEach(async () => void (store = await open()));

  test("are read as written, and another content has another ETag", async () => {
    await store.write(KEY, sourceOfBytes("first"));
    const first = await store.stat(KEY);
    expect(await bytesOf(await store.read(KEY))).toEqual(Buffer.from("first"));
    await store.write(KEY, sourceOfBytes("second"));
    const second = await store.stat(KEY);
    expect(await bytesOf(await store.read(KEY))).toEqual(Buffer.from("second"));
    expect([first?.bytes, second?.bytes]).toEqual([5, 6]);
    expect(second?.etag).not.toBe(first?.etag);
    expect(Math.abs(second!.mtimeMs - Date.now())).toBeLessThan(10_000);
  });

  test("that are missing are undefined, and removing them has no effect", async () => {
    expect(await store.stat(KEY)).toBeUndefined();
    expect(await store.read(KEY)).toBeUndefined();
    expect(await store.digest(KEY)).toBeUndefined();
    expect(await keysOf(store, "songs/")).toEqual([]);
    await store.remove([KEY]);
  });

  test("may be empty", async () => {
    await store.write(KEY, sourceOfBytes(""));
    expect(await bytesOf(await store.read(KEY))).toEqual(Buffer.alloc(0));
  });

  test("of any size are read unchanged, whole and in parts, and have a checksum of their bytes", async () => {
    const path = join(folder, "large");
    await writeFile(path, LARGE);
    await store.write(KEY, await sourceOfFile(path));
    const whole = await store.read(KEY);
    expect(whole?.bytes).toBe(LARGE.length);
    expect((await bytesOf(whole))?.equals(LARGE)).toBe(true);
    const part = await store.read(KEY, { range: { start: 9_000_000, end: 9_000_099 } });
    expect(part?.bytes).toBe(LARGE.length);
    expect((await bytesOf(part))?.equals(LARGE.subarray(9_000_000, 9_000_100))).toBe(true);
    expect(await store.digest(KEY)).toBe(createHash("sha256").update(LARGE).digest("hex"));
  });

  test("are listed by prefix and removed individually", async () => {
    const keys = [KEY, `${SONG}/hybrid.json`, `${SONG}/download.tmp/half.part`, `${SONG}2/audio.mp3`];
    for (const key of keys) await store.write(key, sourceOfBytes(key));
    expect(await keysOf(store, "songs/")).toEqual(keys.toSorted());
    expect(await keysOf(store, `${SONG}/`)).toEqual(keys.slice(0, 3).toSorted());
    await store.remove([keys[0]!, keys[2]!]);
    expect(await keysOf(store, `${SONG}/`)).toEqual([keys[1]]);
    expect((await all(store.list(`${SONG}/`)))[0]).toMatchObject(await store.stat(keys[1]!).then((is) => is!));
  });

  test("written with ifAbsent replace nothing", async () => {
    await store.write(KEY, sourceOfBytes("first"), { ifAbsent: true });
    await expect(store.write(KEY, sourceOfBytes("second"), { ifAbsent: true })).rejects.toMatchObject({
      kind: "changed",
    });
    expect(await bytesOf(await store.read(KEY))).toEqual(Buffer.from("first"));
  });

  test("are not read if they were replaced since the requested ETag", async () => {
    await store.write(KEY, sourceOfBytes("first"));
    const { etag } = (await store.stat(KEY))!;
    expect(await bytesOf(await store.read(KEY, { etag }))).toEqual(Buffer.from("first"));
    await store.write(KEY, sourceOfBytes("other"));
    await expect(store.read(KEY, { etag })).rejects.toMatchObject({ kind: "changed" });
  });

  test("whose content does not match its checksum are not stored", async () => {
    for (const size of [5, LARGE.length]) {
      const lie = { ...sourceOfBytes("right"), bytes: size, open: sourceOfBytes(LARGE.subarray(0, size)).open };
      await expect(store.write(KEY, lie)).rejects.toMatchObject({ kind: "damaged" });
    }
    expect(await keysOf(store, "songs/")).toEqual([]);
  });

  test("are not stored if the write is aborted", async () => {
    const stop = new AbortController();
    const source = {
      ...sourceOfBytes(LARGE),
      async *open() {
        for (let at = 0; at < LARGE.length; at += 1 << 20) {
          yield LARGE.subarray(at, at + (1 << 20));
          if (at > LARGE.length / 2) stop.abort(new Error("enough"));
        }
      },
    };
    await expect(store.write(KEY, source, { signal: stop.signal })).rejects.toThrow();
    expect(await keysOf(store, "songs/")).toEqual([]);
  });

  test.each(["secrets.json", "songs", "songs/../secrets.json", "/etc/passwd", "songs//x", "postgres/x", "songs/a\0b"])(
    "are refused for the key %j",
    async (key) => {
      await expect((async () => store.stat(key))()).rejects.toThrow(RangeError);
      await expect((async () => store.write(key, sourceOfBytes("x")))()).rejects.toThrow(RangeError);
    },
  );
});

test("a folder does not list partial files", async () => {
  const root = join(folder, "half");
  await mkdir(join(root, SONG), { recursive: true });
  await writeFile(join(root, `${KEY}.tmp-blob-1`), "half");
  await writeFile(join(root, KEY), "whole");
  expect(await keysOf(new FolderBlobs(root), "songs/")).toEqual([KEY]);
  await new FolderBlobs(root).remove([`${KEY}`]);
  expect(await readdir(join(root, SONG))).toEqual(["audio.mp3.tmp-blob-1"]);
});

describe("an S3 store with faults", () => {
  const BODY = LARGE.subarray(0, 3_000_000);
  const GET = /^GET .*audio\.mp3/;
  let store: ReturnType<typeof openS3>;
  beforeEach(async () => {
    connection.faults = [];
    connection.requests.splice(0);
    // A busy machine may need longer for the upload than the timeout below.
    await openS3(connection.port, `prefix-${++tests}`).write(KEY, sourceOfBytes(BODY));
    store = openS3(connection.port, `prefix-${tests}`, SILENCE_MS);
  });
  const xml = (status: string, code: string, more = "") => {
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
    return `HTTP/1.1 ${status}\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}\r\n${more}Connection: close\r\n\r\n${body}`;
  };

  test("that responds with 500 is asked again", async () => {
    connection.faults = [
      { on: GET, times: 2, kind: "answer", text: xml("500 Internal Server Error", "InternalError") },
      { on: /^PUT/, times: 2, kind: "answer", text: xml("503 Slow Down", "SlowDown") },
    ];
    expect((await bytesOf(await store.read(KEY)))?.equals(BODY)).toBe(true);
    await store.write(KEY, sourceOfBytes("again"));
    expect(await bytesOf(await store.read(KEY))).toEqual(Buffer.from("again"));
  });

  test("is asked at most three times", async () => {
    connection.faults = [
      { on: GET, times: 99, kind: "answer", text: xml("500 Internal Server Error", "InternalError") },
    ];
    await expect(store.read(KEY)).rejects.toMatchObject({
      kind: "away",
      rawMessage: "The S3 store does not answer (InternalError 500). Files of songs can be had again once it does.",
    });
    expect(connection.requests.filter((request) => GET.test(request))).toHaveLength(3);
  });

  test("that cuts a file in the middle is asked for the rest of it", async () => {
    connection.faults = [{ on: GET, times: 2, kind: "cut", after: 1_000_000 }];
    expect((await bytesOf(await store.read(KEY)))?.equals(BODY)).toBe(true);
    expect(connection.requests.filter((request) => GET.test(request))).toHaveLength(3);
  });

  test("that truncates a file again and again is reported as unavailable", async () => {
    connection.faults = [{ on: GET, times: 99, kind: "cut", after: 1000 }];
    const read = store.read(KEY).then(bytesOf);
    await expect(read).rejects.toMatchObject({ kind: "away" });
  });

  test("that sends a file with one wrong bit is detected", async () => {
    connection.faults = [{ on: GET, times: 1, kind: "flip", at: 2_000_000 }];
    await expect(store.read(KEY).then(bytesOf)).rejects.toMatchObject({ kind: "damaged" });
    expect((await bytesOf(await store.read(KEY)))?.equals(BODY)).toBe(true);
  });

  test("that sends a wrong bit never completes the file", async () => {
    connection.faults = [{ on: GET, times: 1, kind: "flip", at: 10 }];
    let got = 0;
    const read = async () => {
      for await (const chunk of (await store.read(KEY))!.chunks) got += chunk.length;
    };
    await expect(read()).rejects.toMatchObject({ kind: "damaged" });
    expect(got).toBeLessThan(BODY.length);
  });

  test.each([
    ["at all", { kind: "silence" }],
    ["any more in the middle of a file", { kind: "stall", after: 1000 }],
  ] as const)("that is silent %s is reported as unavailable", async (_when, fault) => {
    connection.faults = [{ on: GET, times: 99, ...fault }];
    const began = performance.now();
    await expect(store.read(KEY).then(bytesOf)).rejects.toMatchObject({ kind: "away" });
    expect(performance.now() - began).toBeLessThan(20 * SILENCE_MS);
  });

  test("that is silent once is asked again", async () => {
    connection.faults = [{ on: GET, times: 1, kind: "silence" }];
    expect((await bytesOf(await store.read(KEY)))?.equals(BODY)).toBe(true);
  });

  test("that does not respond is reported as unavailable", async () => {
    const away = openS3(1);
    await expect(away.probe()).rejects.toMatchObject({
      kind: "away",
      rawMessage: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("that loses a file during a listing is not reported as unavailable", async () => {
    const kept = await folderUntil(onTestFinished);
    const busy = openUntil(onTestFinished, await startS3({ kept }));
    // The name of a file that was deleted in between; this store responds to a listing with 500.
    await mkdir(join(kept, BUCKET, "office", "songs"), { recursive: true });
    await symlink("removed", join(kept, BUCKET, "office", "songs", "audio.mp3._S3rver_object"));
    await openS3(busy.port).probe();
    await expect(all(openS3(busy.port).list("songs/"))).rejects.toMatchObject({ kind: "away" });
  });

  test("that refuses credentials is asked with reloaded ones, without a restart", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "OLD");
    const late = openS3(connection.port, `prefix-${tests}`);
    await expect(late.stat(KEY)).rejects.toMatchObject({ kind: "refused" });
    await expect(late.read(KEY)).rejects.toMatchObject({
      rawMessage: "The S3 store refuses our credentials (InvalidAccessKeyId). Check them, and what they allow.",
    });
    vi.stubEnv("AWS_ACCESS_KEY_ID", S3_KEYS.AWS_ACCESS_KEY_ID);
    expect((await late.stat(KEY))?.bytes).toBe(BODY.length);
  });

  test("is asked with credentials reloaded from a file", async () => {
    const profile = join(folder, "AWS_SHARED_CREDENTIALS_FILE");
    const write = (id: string) =>
      writeFile(
        profile,
        `[default]\naws_access_key_id = ${id}\naws_secret_access_key = ${S3_KEYS.AWS_SECRET_ACCESS_KEY}\n`,
      );
    for (const name of Object.keys(S3_KEYS)) vi.stubEnv(name, undefined);
    await write("OLD");
    const late = openS3(connection.port, `prefix-${tests}`);
    await expect(late.read(KEY)).rejects.toMatchObject({ kind: "refused" });
    await write(S3_KEYS.AWS_ACCESS_KEY_ID);
    expect((await bytesOf(await late.read(KEY)))?.equals(BODY)).toBe(true);
    await writeFile(profile, "");
    for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
  });

  test("is reported with the missing settings if there are no credentials", async () => {
    for (const name of Object.keys(S3_KEYS)) vi.stubEnv(name, undefined);
    await expect(openS3(connection.port).probe()).rejects.toMatchObject({
      kind: "refused",
      rawMessage: expect.stringContaining("Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
    });
    for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
  });

  test.each([
    ["ExpiredToken", "The credentials for the S3 store have expired. Renew them where they come from."],
    ["NoSuchBucket", "The S3 store has no such bucket. Make it, or correct FOLLOWSPOT_BLOBS."],
    ["AccessDenied", "The S3 store refuses our credentials (AccessDenied). Check them, and what they allow."],
  ])("%s is reported with a sentence", async (code, sentence) => {
    const status = code === "NoSuchBucket" ? "404 Not Found" : "403 Forbidden";
    connection.faults = [{ on: /^GET/, times: 99, kind: "answer", text: xml(status, code) }];
    await expect(openS3(connection.port).probe()).rejects.toMatchObject({ rawMessage: sentence });
  });

  test("a wrong clock is reported in minutes", async () => {
    const date = new Date(Date.now() - 17 * 60_000).toUTCString();
    const text = xml("403 Forbidden", "RequestTimeTooSkewed", `Date: ${date}\r\n`);
    connection.faults = [{ on: /^GET/, times: 99, kind: "answer", text }];
    await expect(openS3(connection.port).probe()).rejects.toMatchObject({
      rawMessage: "The S3 store refuses requests: the clock of this machine is off by 17 minutes. Set it right.",
    });
  });
});
