import { readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openFaultyConnection } from "../../testing/faulty-connection.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { openS3, S3_KEYS, startS3 } from "../../testing/s3-store.ts";
import { BlobCache } from "./blob-cache.ts";
import { sourceOfBytes } from "./blob-store.ts";

const KEY = "songs/01JD0000000000000000000001/audio.mp3";
const FETCHES = /^GET .*(audio|other)/;

for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
const s3 = openUntil(afterAll, await startS3());
const connection = openUntil(afterAll, await openFaultyConnection(s3.port));
let folder: string;
let tests = 0;
beforeEach(async () => {
  folder = join(await folderUntil(onTestFinished), "cache");
  connection.faults = [];
  connection.requests.splice(0);
});
function open(mostBytes = 1e6) {
  const store = openS3(connection.port, `prefix-${tests}`, 300);
  return { store, cache: new BlobCache(store, folder, mostBytes) };
}
beforeEach(() => void tests++);
const fetches = () => connection.requests.filter((request) => FETCHES.test(request)).length;

test("a file is fetched once for simultaneous requests, and for another process", async () => {
  const { store, cache } = open();
  await store.write(KEY, sourceOfBytes("sound"));
  const paths = await Promise.all(Array.from({ length: 8 }, () => cache.copy(KEY)));
  expect(new Set(paths).size).toBe(1);
  expect(await readFile(paths[0]!, "utf8")).toBe("sound");
  expect(paths[0]).toMatch(/\.mp3$/);
  expect(await open().cache.copy(KEY)).toBe(paths[0]);
  expect(fetches()).toBe(1);
});

test("a changed file is fetched again", async () => {
  const { store, cache } = open();
  await store.write(KEY, sourceOfBytes("sound"));
  await cache.copy(KEY);
  await store.write(KEY, sourceOfBytes("other sound"));
  expect(await readFile((await cache.copy(KEY))!, "utf8")).toBe("other sound");
});

test("caches nothing for a missing file, or for one that arrives damaged twice", async () => {
  const { store, cache } = open();
  expect(await cache.copy(KEY)).toBeUndefined();
  await store.write(KEY, sourceOfBytes("sound"));
  connection.faults = [{ on: FETCHES, times: 2, kind: "flip", at: 1 }];
  await expect(cache.copy(KEY)).rejects.toMatchObject({ kind: "damaged" });
  expect(await readdir(folder)).toEqual([]);
  connection.faults = [{ on: FETCHES, times: 1, kind: "flip", at: 1 }];
  expect(await readFile((await cache.copy(KEY))!, "utf8")).toBe("sound");
});

test("evicts the least recently used files above the limit, but none that was just requested", async () => {
  const { store, cache } = open(2500);
  const keys = Array.from({ length: 4 }, (_, i) => KEY.replace("audio", `other${i}`));
  for (const key of keys) await store.write(key, sourceOfBytes(key.padEnd(1000)));
  const paths: string[] = [];
  for (const key of keys.slice(0, 3)) paths.push((await cache.copy(key))!);
  // All are still in use.
  expect(await readdir(folder)).toHaveLength(3);
  for (const [i, path] of paths.entries()) await utimes(path, 1e9 + i, 1e9 + i);
  await cache.copy(keys[0]!);
  const last = (await cache.copy(keys[3]!))!;
  expect((await readdir(folder)).map((name) => join(folder, name)).toSorted()).toEqual([paths[0], last].toSorted());
});

test("uses the local copy while the store is unavailable", async () => {
  const { store, cache } = open();
  await store.write(KEY, sourceOfBytes("sound"));
  const path = await cache.copy(KEY);
  connection.faults = [{ on: /./, times: 99, kind: "silence" }];
  expect(await cache.copy(KEY)).toBe(path);
  await expect(cache.copy(KEY.replace("audio", "other"))).rejects.toMatchObject({ kind: "away" });
});
