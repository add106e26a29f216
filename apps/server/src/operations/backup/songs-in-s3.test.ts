import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { sourceOfBytes, type BlobStore } from "../../platform/blobs/blob-store.ts";
import { newId } from "../../platform/database/ids.ts";
import { runAdmin } from "../../testing/admin.ts";
import { openFaultyConnection } from "../../testing/faulty-connection.ts";
import { createInstallation, filesBelow, type Installation } from "../../testing/installation.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { openS3, S3_KEYS, s3Setting, startS3 } from "../../testing/s3-store.ts";
import { addFiles } from "./testing/community.ts";

const RECORDING = "recordings/01KAAAAAAAAAAAAAAAAAAAAAAA.json";
const SOUND = randomBytes(300_000);

for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
const folder = await folderUntil(afterAll);
const s3 = openUntil(afterAll, await startS3());
const connection = openUntil(afterAll, await openFaultyConnection(s3.port));
let tests = 0;
let source: Installation;
let store: BlobStore;
let songId: string;
beforeEach(async () => {
  connection.faults = [];
  store = openS3(s3.port, `prefix-${++tests}`);
  source = openUntil(onTestFinished, await createInstallation());
  songId = newId();
  await source.sql`insert into songs (id, title, downloaded_at) values (${songId}, 'Song', now())`;
  await store.write(`songs/${songId}/audio.mp3`, sourceOfBytes(SOUND));
  await store.write(`songs/${songId}/hybrid.json`, sourceOfBytes("{}"));
  await store.write(`songs/${songId}/download.tmp/half.part`, sourceOfBytes("half"));
  await addFiles(source.dataDir, { [RECORDING]: "{}" });
  vi.stubEnv("FOLLOWSPOT_BLOBS", s3Setting(connection.port, `prefix-${tests}`));
});

test("a backup contains the songs' files from the bucket, and a restore writes them to the bucket of another machine", async () => {
  const backup = join(folder, "whole");
  expect(await runAdmin(source, "backup", backup)).toMatchObject({ code: 0 });
  expect(await filesBelow(join(backup, "songs"))).toEqual([`${songId}/audio.mp3`, `${songId}/hybrid.json`]);
  expect(await runAdmin(source, "backup", "--check", backup)).toMatchObject({ code: 0 });

  const target = openUntil(onTestFinished, await createInstallation());
  vi.stubEnv("FOLLOWSPOT_BLOBS", s3Setting(s3.port, "elsewhere"));
  expect(await runAdmin(target, "restore", backup)).toMatchObject({ code: 0 });
  const keys: string[] = [];
  for await (const { key } of openS3(s3.port, "elsewhere").list("songs/")) keys.push(key);
  expect(keys.toSorted()).toEqual([`songs/${songId}/audio.mp3`, `songs/${songId}/hybrid.json`]);
  const sound = await openS3(s3.port, "elsewhere").read(keys.find((key) => key.endsWith(".mp3"))!);
  const chunks: Buffer[] = [];
  for await (const chunk of sound!.chunks) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(SOUND)).toBe(true);
  const below = await filesBelow(target.dataDir);
  expect(below.filter((path) => /^(songs|recordings)/.test(path))).toEqual([RECORDING]);
});

/** Replaces the file as a step would, just before the backup reads it. */
const replaceSound = () => store.write(`songs/${songId}/audio.mp3`, sourceOfBytes(`sound ${newId()}`));

test("a backup during which a file was replaced restarts, and contains the new one", async () => {
  connection.faults = [{ on: /^GET .*audio\.mp3/, times: 1, kind: "wait", for: replaceSound }];
  const backup = join(folder, "again");
  const { code, said } = await runAdmin(source, "backup", backup);
  expect([code, said.match(/begins again/g)?.length]).toEqual([0, 1]);
  const text = await readFile(join(backup, `songs/${songId}/audio.mp3`), "utf8");
  expect(text).toMatch(/^sound /);
  expect(await runAdmin(source, "backup", "--check", backup)).toMatchObject({ code: 0 });
});

test("a backup whose files are replaced at every attempt fails with a remedy and without a manifest", async () => {
  connection.faults = [{ on: /^GET .*audio\.mp3/, times: 99, kind: "wait", for: replaceSound }];
  const backup = join(folder, "never");
  const { code, said } = await runAdmin(source, "backup", backup);
  expect(code).toBe(2);
  expect(said).toContain("Songs were written anew each of 3 times while their files were copied.");
  expect(said).toContain("Try again when fewer songs are in work.");
  expect(await filesBelow(backup)).not.toContain("followspot-backup.json");
});

test("an unresponsive bucket fails the backup", async () => {
  vi.stubEnv("FOLLOWSPOT_BLOBS", s3Setting(1));
  const { code, said } = await runAdmin(source, "backup", join(folder, "away"));
  expect(code).toBe(2);
  expect(said).toContain("The S3 store does not answer (ECONNREFUSED).");
});
