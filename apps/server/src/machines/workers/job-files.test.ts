import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test, vi } from "vitest";
import { SongFiles } from "../../songs/catalog/song-files.ts";
import { newId } from "../../platform/database/ids.ts";
import { sha256Of } from "../../testing/hand-worker.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { openS3, S3_KEYS, startS3 } from "../../testing/s3-store.ts";
import { dropLeft, leftFiles, publishLeft, putResult } from "./job-files.ts";

for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
const s3 = openUntil(afterAll, await startS3());
/** Opens the files of songs as an API server on a separate machine does. */
const openMachine = async () => {
  const folder = await folderUntil(afterAll);
  return { folder, files: new SongFiles(folder, openS3(s3.port)) };
};
const [first, second] = [await openMachine(), await openMachine()];
const job = {
  id: newId(),
  song_id: newId(),
  step: "analysis",
  attempt: 1,
  plan_number: 0,
  url: "",
  duration: 5,
} as const;
const content = new TextEncoder().encode('{"heard":true}');
const sent = () => ({ content: Readable.from([content]), sha256: sha256Of(content) });

test("a file sent to one API server is available at another one, which publishes it", async () => {
  await putResult(first.files, job, "hybrid.json", sent());
  expect(await second.files.list(job.song_id)).toEqual([]);
  const left = await leftFiles(second.files, job);
  expect([...left.paths.keys()]).toEqual(["hybrid.json"]);
  expect(await readFile(left.paths.get("hybrid.json")!, "utf8")).toBe('{"heard":true}');
  await publishLeft(second.files, job, left);
  await left.close();
  await dropLeft(second.files, job);
  expect(await first.files.readJson(job.song_id, "hybrid.json")).toEqual({ heard: true });
  expect((await leftFiles(first.files, job)).paths.size).toBe(0);
});

test("files of an attempt are not available to the next one, and are deleted when that one ends", async () => {
  await putResult(first.files, job, "hybrid.json", sent());
  const next = { ...job, attempt: 2 };
  const left = await leftFiles(second.files, next);
  expect(left.paths.size).toBe(0);
  await left.close();
  await dropLeft(second.files, next);
  expect(await first.files.listAside(job.song_id)).toEqual([]);
});

test("staged files are deleted after a time without access", async () => {
  await putResult(first.files, job, "hybrid.json", sent());
  await second.files.removeDeadAside(60_000);
  expect(await first.files.listAside(job.song_id)).toHaveLength(1);
  await second.files.removeDeadAside(-1000);
  expect(await first.files.listAside(job.song_id)).toEqual([]);
  for (const { folder } of [first, second])
    expect(await readdir(join(folder, "work"), { recursive: true })).not.toContain("hybrid.json");
});
