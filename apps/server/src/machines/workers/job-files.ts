import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, link, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { STEM_FILES } from "../../songs/audio/write-stems.ts";
import { MAX_SONG_SECONDS } from "../../songs/audio/decode-audio.ts";
import { publishFile, temporaryPath, writeFileAtomic } from "../../platform/files/atomic-file.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { hashOfFile } from "../../platform/files/hash-of-file.ts";
import { attemptMark, planName, type SongFiles } from "../../songs/catalog/song-files.ts";
import type { LeasedJob } from "../../songs/processing/song-jobs.store.ts";
import { isSource, KEPT_PARTS, NEEDS, RESULTS, writtenLast } from "../../songs/catalog/step-files.ts";
import { receive } from "../../songs/library/store-original.ts";

const MAX_SOURCE_BYTES = 2 * 1024 ** 3;
const MAX_COVER_BYTES = 4_000_000;
/** Largest analysis or plan, bytes; those of three hours of music have a third of this. */
const MAX_JSON_BYTES = 32_000_000;
/** Largest MP3 per second of audio, bytes: twice the highest bit rate, plus tags. */
const MOST_AUDIO_PER_SECOND = 80_000;
const TAG_BYTES = 32_000_000;
/** Largest stem per second of audio, bytes; stems have 24 kB per second. */
const MOST_STEM_PER_SECOND = 40_000;

/**
 * Returns the files that the worker of a job may read. A partial download is not among them: another machine starts it
 * again.
 */
export async function neededFiles(files: SongFiles, job: LeasedJob): Promise<{ name: string; size: number }[]> {
  const found = (await files.list(job.song_id)).filter(({ name }) => mayRead(job, name));
  return found.map(({ name, bytes }) => ({ name, size: bytes }));
}

/** Opens a file that the worker of a job may read. @throws not_found */
export async function readNeeded(files: SongFiles, job: LeasedJob, name: string) {
  const path = mayRead(job, name) ? await files.localCopy(job.song_id, name) : undefined;
  if (path === undefined) throw notFound("File", name);
  return { size: (await stat(path)).size, sha256: await hashOfFile(path), content: createReadStream(path) };
}

/** Steps that are downloaded have no original to read: they fetch it. */
const mayRead = ({ step, url }: LeasedJob, name: string): boolean =>
  NEEDS[step](name) && !name.startsWith(KEPT_PARTS) && !(isSource(name) && url !== "");

/**
 * Puts what an attempt has made beside the song's files, under a name of this attempt: it is not read until it is
 * published. What was cut off leaves nothing.
 * @throws invalid_argument or resource_exhausted
 */
export async function putResult(
  files: SongFiles,
  job: LeasedJob,
  name: string,
  sent: { readonly content: Readable; readonly sha256: string },
): Promise<void> {
  if (!mayLeave(job, name)) throw invalid(`This step leaves no file ${name.slice(0, 60)}`);
  const work = await files.openWork(job.song_id, ".tmp-left");
  const target = temporaryPath(name, `${job.step}-${job.attempt}`);
  const partial = join(work.folder, `${target}.part-${randomUUID().slice(0, 8)}`);
  try {
    const { hash } = await receive(sent.content, partial, mostBytes(job, name), `${name} is larger than it can be`);
    if (hash !== sent.sha256) throw invalid(`${name} arrived damaged. Send it again.`);
    await files.layAside(job.song_id, target, partial);
  } finally {
    await rm(partial, { force: true });
    await work.close();
  }
}

/** Only a download fetches an original, and a plan has the number that was granted with it. */
function mayLeave({ step, url, plan_number }: LeasedJob, name: string): boolean {
  if (isSource(name)) return step === "download" && url !== "" && /^source\.[a-z0-9]{1,5}$/.test(name);
  if (step === "lighting") return name === planName(plan_number);
  return RESULTS[step](name) && !name.startsWith(KEPT_PARTS);
}

function mostBytes({ duration }: LeasedJob, name: string): number {
  if (isSource(name)) return MAX_SOURCE_BYTES;
  const seconds = (duration || MAX_SONG_SECONDS) + 2;
  if (name === "audio.mp3") return seconds * MOST_AUDIO_PER_SECOND + TAG_BYTES;
  if (Object.values(STEM_FILES).some((stem) => stem === name)) return seconds * MOST_STEM_PER_SECOND;
  return name.endsWith(".json") ? MAX_JSON_BYTES : MAX_COVER_BYTES;
}

/** What an attempt has left. */
export interface Left {
  /** Names that its files will have, and where they lie on this machine until they are closed. */
  readonly paths: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** Fetches the staged files of an attempt, whichever API server received them. */
export async function leftFiles(files: SongFiles, { song_id, step, attempt }: LeasedJob): Promise<Left> {
  const work = await files.openWork(song_id, ".tmp-left");
  const mark = attemptMark(step, attempt);
  const paths = new Map<string, string>();
  try {
    for (const name of (await files.listAside(song_id)).filter((each) => each.endsWith(mark))) {
      const path = await files.fetchAside(song_id, name, work.folder);
      if (path !== undefined) paths.set(name.slice(0, -mark.length), path);
    }
  } catch (error) {
    await work.close();
    throw error;
  }
  return { paths, close: work.close };
}

/** Replaces a staged file by one of the server's own. */
export async function replaceLeft(path: string, content: string): Promise<void> {
  // Not in place: a published file may be a link to the same bytes.
  await writeFileAtomic(path, content, "own");
}

/**
 * Publishes the attempt's files. The manifest is renamed last. The staged files stay until {@link dropLeft}: if the database
 * fails before the outcome is settled, the worker reports it again and everything is published again.
 */
export async function publishLeft(files: SongFiles, { song_id }: LeasedJob, { paths }: Left): Promise<void> {
  for (const [name, path] of [...paths].toSorted(([a], [b]) => writtenLast(a, b))) {
    const earlier = isSource(name) ? (await files.list(song_id)).map((file) => file.name).filter(isSource) : [];
    await files.removeFiles(song_id, earlier);
    if (files.isLocal) await publishCopy(path, files.path(song_id, name));
    else await files.take(song_id, name, path);
  }
}

/** Publishes a file under a second name. Costs no copy where the file system has hard links. */
async function publishCopy(path: string, target: string): Promise<void> {
  const second = temporaryPath(path, "published");
  await rm(second, { force: true });
  await link(path, second).catch(() => copyFlushed(path, second));
  await publishFile(second, target);
}

async function copyFlushed(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const file = await open(to, "r+");
  await file.sync().finally(() => file.close());
}

/** Deletes the staged files of this attempt and earlier ones; while its lease is held, no other attempt is running. */
export async function dropLeft(files: SongFiles, job: LeasedJob): Promise<void> {
  await files.removeAside(job.song_id, attemptMark(job.step));
}
