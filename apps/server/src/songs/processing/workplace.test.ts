import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { GrantedJob } from "@followspot/contract";
import { sourceOfBytes } from "../../platform/blobs/blob-store.ts";
import { openFaultyConnection } from "../../testing/faulty-connection.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { openS3, S3_KEYS, startS3 } from "../../testing/s3-store.ts";
import { attemptMark, SongFiles } from "../catalog/song-files.ts";
import { workplaces, type Workplaces } from "./workplace.ts";

const SONG = "01JD0000000000000000000001";
const living = new AbortController().signal;

for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
const s3 = openUntil(afterAll, await startS3());
const connection = openUntil(afterAll, await openFaultyConnection(s3.port));
let files: SongFiles;
let places: Workplaces;
let tests = 0;
beforeEach(async () => {
  connection.faults = [];
  files = new SongFiles(await folderUntil(onTestFinished), openS3(connection.port, `prefix-${++tests}`, 300));
  places = workplaces(files);
});

const jobOf = (step: GrantedJob["step"], plan: object | null = null) =>
  ({ job_id: "j", song_id: SONG, step, attempt: 2, url: "", plan }) as unknown as GrantedJob; // fields that workplaces read
const put = async (...names: string[]) => {
  for (const name of names) await files.store.write(`songs/${SONG}/${name}`, sourceOfBytes(`old ${name}`));
};
const kept = async () => (await files.list(SONG)).map(({ name }) => name).toSorted();
const textOf = async (name: string) => readFile((await files.localCopy(SONG, name))!, "utf8");

test.each([
  ["download", ["download.tmp/half.part", "source.wav"]],
  ["analysis", ["audio.mp3"]],
  ["stems", ["audio.mp3", "hybrid.json"]],
  ["lighting", ["cover.webp", "hybrid.json"]],
] as const)("the %s step gets only the files that it reads", async (step, needs) => {
  await put("audio.mp3", "cover.webp", "cover-small.webp", "drums.mp3", "hybrid.json", "lighting.1.json");
  await put("source.wav", "download.tmp/half.part");
  const place = await places.open(jobOf(step), living);
  const found = (await readdir(place.folder, { recursive: true })).filter((name) => name.includes("."));
  expect(found.filter((name) => name !== "download.tmp").toSorted()).toEqual(needs);
  for (const name of needs) expect(await readFile(join(place.folder, name), "utf8")).toBe(`old ${name}`);
  await place.close();
  expect(await readdir(files.root)).toEqual([]);
});

test("stores results under their names, and no partial files", async () => {
  await put("audio.mp3", "hybrid.json");
  const place = await places.open(jobOf("stems"), living);
  for (const name of ["drums.mp3", "hybrid.json", "bass.mp3.tmp-stems-2", "notes.txt"])
    await writeFile(join(place.folder, name), `new ${name}`);
  await place.keep();
  expect(await kept()).toEqual(["audio.mp3", "drums.mp3", "hybrid.json"]);
  expect([await textOf("hybrid.json"), await textOf("audio.mp3")]).toEqual(["new hybrid.json", "old audio.mp3"]);
});

test("stores an analysis that names stems after the stems", async () => {
  await put("audio.mp3", "hybrid.json");
  const place = await places.open(jobOf("stems"), living);
  for (const name of ["hybrid.json", "vocals.mp3"]) await writeFile(join(place.folder, name), "new");
  connection.requests.splice(0);
  await place.keep();
  const written = connection.requests.flatMap((request) => /^PUT .*\/([a-z.3]+)\?/.exec(request)?.[1] ?? []);
  expect(written).toEqual(["vocals.mp3", "hybrid.json"]);
});

test("does not store files that were only read", async () => {
  await put("source.wav");
  const place = await places.open(jobOf("download"), living);
  await writeFile(join(place.folder, "audio.mp3"), "new");
  connection.requests.splice(0);
  await place.keep();
  expect(connection.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(1);
});

test("a new original replaces the previous one, whose partial files are deleted", async () => {
  await put("source.wav", "download.tmp/half.part");
  const place = await places.open(jobOf("download"), living);
  await writeFile(join(place.folder, "source.mp3"), "new");
  // The step deletes both in its working folder.
  for (const name of ["source.wav", "download.tmp"]) await rm(join(place.folder, name), { recursive: true });
  await place.keep();
  expect(await kept()).toEqual(["source.mp3"]);
});

test("a partial download is available to the next attempt", async () => {
  const place = await places.open(jobOf("download"), living);
  await mkdir(join(place.folder, "download.tmp"));
  await writeFile(join(place.folder, "download.tmp/half.part"), "half");
  await place.keep();
  await place.close();
  const next = await places.open(jobOf("download"), living);
  expect(await readFile(join(next.folder, "download.tmp/half.part"), "utf8")).toBe("half");
});

test("plans that are no longer listed are deleted when a new one is stored", async () => {
  await put("lighting.json", "lighting.1.json", "lighting.2.json", "lighting.9.json", "hybrid.json");
  const place = await places.open(jobOf("lighting", { number: 3, kept_numbers: [2] }), living);
  await writeFile(join(place.folder, "lighting.3.json"), "new");
  await place.keep();
  expect(await kept()).toEqual(["hybrid.json", "lighting.2.json", "lighting.3.json", "lighting.9.json"]);
});

test("a step that has lost its lease stores nothing", async () => {
  await put("audio.mp3");
  const lease = new AbortController();
  const place = await places.open(jobOf("analysis"), lease.signal);
  await writeFile(join(place.folder, "hybrid.json"), "new");
  lease.abort(new Error("the lease is lost"));
  await expect(place.keep()).rejects.toThrow("the lease is lost");
  expect(await kept()).toEqual(["audio.mp3"]);
});

test("an unavailable store fails the step with a sentence and a retry, and leaves no files on this machine", async () => {
  await put("audio.mp3");
  connection.faults = [{ on: /./, times: 99, kind: "silence" }];
  await expect(places.open(jobOf("analysis"), living)).rejects.toMatchObject({
    message: expect.stringMatching(/^The S3 store does not answer/),
    retry: true,
  });
  expect(await readdir(files.root)).toEqual([]);
});

test("detects unfinished stems of a dead worker, but not those that are being written", async () => {
  const names = [1, 2].map((attempt) => `${SONG}${attemptMark("stems", attempt)}-x`);
  for (const name of names) await mkdir(join(files.root, name), { recursive: true });
  const longAgo = new Date(Date.now() - 300_000);
  await utimes(join(files.root, names[0]!), longAgo, longAgo);
  expect(await places.removeDead(attemptMark("stems"), 60_000)).toBe(1);
  expect(await readdir(files.root)).toEqual([names[1]]);
});
