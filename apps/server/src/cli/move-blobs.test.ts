import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { sourceOfBytes, type BlobStore } from "../platform/blobs/blob-store.ts";
import { FolderBlobs } from "../platform/blobs/folder-blobs.ts";
import { moveBlobs } from "../platform/blobs/move-blobs.ts";
import { MoveNotes } from "../platform/blobs/move-notes.ts";
import { newId } from "../platform/database/ids.ts";
import { runAdmin } from "../testing/admin.ts";
import { openFaultyConnection } from "../testing/faulty-connection.ts";
import { createInstallation, type Installation } from "../testing/installation.ts";
import { openUntil } from "../testing/open-until.ts";
import { openS3, S3_KEYS, s3Setting, startS3 } from "../testing/s3-store.ts";

const SONGS = 4;

for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
const s3 = openUntil(afterAll, await startS3());
const connection = openUntil(afterAll, await openFaultyConnection(s3.port));
let tests = 0;
let place: Installation;
let folder: FolderBlobs;
let bucket: BlobStore;
let setting: string;
beforeEach(async () => {
  connection.faults = [];
  connection.requests.splice(0);
  place = openUntil(onTestFinished, await createInstallation());
  folder = new FolderBlobs(place.dataDir);
  bucket = openS3(s3.port, `prefix-${++tests}`);
  setting = s3Setting(connection.port, `prefix-${tests}`);
  vi.stubEnv("FOLLOWSPOT_BLOBS", "");
  for (let i = 0; i < SONGS; i++) await addSong(folder);
});

async function addSong(store: BlobStore): Promise<string> {
  const id = newId();
  const files = {
    "source.wav": randomBytes(90_000),
    "audio.mp3": randomBytes(30_000),
    "hybrid.json": `{"id":"${id}"}`,
  };
  for (const [name, bytes] of Object.entries(files)) await store.write(`songs/${id}/${name}`, sourceOfBytes(bytes));
  return id;
}
/** Returns all files of a store, each as text. */
async function contents(store: BlobStore): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { key } of store.list("songs/")) {
    const chunks: Buffer[] = [];
    for await (const chunk of (await store.read(key))!.chunks) chunks.push(chunk);
    found.set(key, Buffer.concat(chunks).toString("base64"));
  }
  return new Map([...found].toSorted());
}
const move = (...args: string[]) => runAdmin(place, "move-blobs", ...args);

test("moves songs into a bucket and back, byte for byte, while others are added", async () => {
  let isOver = false;
  const adding = (async () => {
    for (; !isOver; await pause(250)) await addSong(folder);
  })();
  const first = await move("--to", setting);
  isOver = true;
  await adding;
  expect(first).toMatchObject({ code: 0, said: expect.stringContaining(`Now set FOLLOWSPOT_BLOBS=${setting}`) });
  await addSong(folder);

  // Followspot is restarted with the bucket, and uses it.
  vi.stubEnv("FOLLOWSPOT_BLOBS", setting);
  const old = await contents(folder);
  const [written, removed] = [...old.keys()];
  await bucket.write(written!, sourceOfBytes("made anew"));
  await bucket.remove([removed!]);
  const second = await move("--to", setting);
  expect(second).toMatchObject({ code: 0, said: expect.stringContaining("2 are newer there and were left") });
  const now = await contents(bucket);
  expect(now.get(written!)).toBe(Buffer.from("made anew").toString("base64"));
  expect(now.has(removed!)).toBe(false);
  for (const key of [written!, removed!]) {
    old.delete(key);
    now.delete(key);
  }
  expect(now).toEqual(old);
  expect((await contents(folder)).size).toBe(old.size + 2);
  expect(await move("--to", setting, "--remove-old")).toMatchObject({ code: 0 });
  expect((await contents(folder)).size).toBe(0);

  const before = await contents(bucket);
  expect(await move("--to", "folder")).toMatchObject({ code: 0, said: expect.stringContaining("no FOLLOWSPOT_BLOBS") });
  vi.stubEnv("FOLLOWSPOT_BLOBS", "");
  expect(await move("--to", "folder", "--remove-old")).toMatchObject({ code: 0 });
  expect(await contents(folder)).toEqual(before);
  expect((await contents(bucket)).size).toBe(0);
});

test("continues an aborted move, and copies nothing twice", async () => {
  const stop = new AbortController();
  const notes = await MoveNotes.open(place.dataDir, "", setting);
  const options = {
    from: folder,
    to: openS3(connection.port, `prefix-${tests}`),
    isSwitched: false,
    notes,
    say: () => {},
  };
  let puts = 0;
  const breakOff = async () => void (++puts === 6 && stop.abort(new Error("broken off")));
  connection.faults = [{ on: /^PUT/, times: 99, kind: "wait", for: breakOff }];
  await expect(moveBlobs({ ...options, signal: stop.signal })).rejects.toThrow("broken off");
  connection.faults = [];
  connection.requests.splice(0);
  const { copied, same } = await moveBlobs(options);
  expect([copied + same, same >= 5]).toEqual([3 * SONGS, true]);
  expect(connection.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(copied);
  expect(await contents(bucket)).toEqual(await contents(folder));
  connection.requests.splice(0);
  expect(await moveBlobs(options)).toMatchObject({ copied: 0, same: 3 * SONGS });
  // Compared by etags of listings only: no single file is requested.
  expect(connection.requests.every((request) => request.includes("list-type=2"))).toBe(true);
});

test("deletes nothing if a file in the bucket is damaged, or before Followspot uses the bucket", async () => {
  expect(await move("--to", setting)).toMatchObject({ code: 0 });
  expect(await move("--to", setting, "--remove-old")).toMatchObject({
    code: 2,
    said: expect.stringContaining("does not work with s3://"),
  });
  vi.stubEnv("FOLLOWSPOT_BLOBS", setting);
  connection.faults = [{ on: /^GET .*audio\.mp3/, times: 1, kind: "flip", at: 100 }];
  const { code, said } = await move("--to", setting, "--remove-old");
  expect([code, said]).toEqual([2, expect.stringContaining("Nothing was removed: 1 files are missing or damaged")]);
  expect((await contents(folder)).size).toBe(3 * SONGS);
});

test("reports a file that is written while it is copied, and copies it in another pass", async () => {
  const [key] = (await contents(folder)).keys();
  for (const [each, text] of await contents(folder))
    await bucket.write(each, sourceOfBytes(Buffer.from(text, "base64")));
  const to = new FolderBlobs(`${place.dataDir}/back`);
  const notes = await MoveNotes.open(place.dataDir, setting, "");
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const options = { from: openS3(connection.port, `prefix-${tests}`), to, isSwitched: false, notes, say };
  const write = () => bucket.write(key!, sourceOfBytes("written meanwhile"));
  connection.faults = [{ on: new RegExp(`^GET .*${key}`), times: 1, kind: "wait", for: write }];
  expect(await moveBlobs(options)).toEqual({ copied: 3 * SONGS - 1, same: 0, newer: 0, unsteady: 1 });
  expect(said).toEqual([expect.stringMatching(new RegExp(`^${key} is to be copied again: .`))]);
  expect(await moveBlobs(options)).toMatchObject({ copied: 1, same: 3 * SONGS - 1 });
  expect(await contents(to)).toEqual(await contents(bucket));
});

test("deletes files of a song that was deleted between two passes from the bucket, too", async () => {
  expect(await move("--to", setting)).toMatchObject({ code: 0 });
  const [key] = (await contents(folder)).keys();
  await folder.remove([key!]);
  expect(await move("--to", setting)).toMatchObject({ code: 0 });
  expect(await contents(bucket)).toEqual(await contents(folder));
});

test.each([
  [["--to", "folder"], "Songs are there already"],
  [["--to", "s3://x"], "--to: must name a bucket"],
  [["--to", "elsewhere"], "--to: must be s3://"],
  [[], "name a place with --to"],
])("move-blobs %j fails with what to do", async (args, sentence) => {
  const { code, said } = await move(...args);
  expect(code).toBeGreaterThan(0);
  expect(said).toContain(sentence);
});
