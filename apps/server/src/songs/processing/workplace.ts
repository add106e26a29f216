import { constants, copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { GrantedJob } from "@followspot/contract";
import { BlobError } from "../../platform/blobs/blob-store.ts";
import { freeBytes } from "../../platform/files/disk.ts";
import { attemptMark, type SongFiles } from "../catalog/song-files.ts";
import { noRoom, StepError } from "./step-error.ts";
import { NEEDS, outdatedFiles, RESULTS, writtenLast } from "../catalog/step-files.ts";

/** Local folder for one attempt of one step, which contains its inputs and receives its results. */
export interface Workplace {
  readonly folder: string;
  /** Stores the results that have their final names. */
  keep(): Promise<void>;
  close(): Promise<void>;
}

/** @param signal aborted when the lease is lost, after which a workplace is useless */
export type OpenWorkplace = (job: GrantedJob, signal: AbortSignal) => Promise<Workplace>;

/** Workplaces for the steps of one worker. */
export interface Workplaces {
  readonly open: OpenWorkplace;
  /**
   * Deletes partial files that have not been written to for a while because their worker has ended.
   * @param mark suffix of the names, see `attemptMark`
   * @returns number of deleted files
   */
  removeDead(mark: string, silentMs: number): Promise<number>;
}

/** Returns workplaces in the songs' own folders: nothing is fetched, and results are already in place. */
export function songFolders(files: SongFiles): Workplaces {
  return {
    open: async (job) => ({
      folder: await files.makeFolder(job.song_id),
      keep: async () => undefined,
      close: async () => undefined,
    }),
    removeDead: (mark, silentMs) => files.removeDead(mark, silentMs),
  };
}

/**
 * Returns workplaces in temporary local folders: inputs are fetched from the object store, and results are written to
 * it.
 */
function fetchedFolders(files: SongFiles): Workplaces {
  return {
    open: async (job, signal) => {
      const work = await files.openWork(job.song_id, attemptMark(job.step, job.attempt));
      try {
        const fetched = await inWords(() => fetchNeeds(files, job, work.folder, signal));
        return { ...work, keep: () => inWords(() => keepResults(files, job, work.folder, fetched, signal)) };
      } catch (error) {
        await work.close();
        throw error;
      }
    },
    removeDead: (mark, silentMs) => files.removeDead(mark, silentMs),
  };
}

/** Returns the workplaces that suit the storage of songs. */
export const workplaces = (files: SongFiles): Workplaces =>
  files.isLocal ? songFolders(files) : fetchedFolders(files);

/** Version of each file when it was fetched. */
type Fetched = ReadonlyMap<string, string>;

async function fetchNeeds(files: SongFiles, job: GrantedJob, folder: string, signal: AbortSignal): Promise<Fetched> {
  const needed = (await files.list(job.song_id)).filter(({ name }) => NEEDS[job.step](name));
  const bytes = needed.reduce((sum, file) => sum + file.bytes, 0);
  if ((await freeBytes(folder)) < bytes) throw noRoom(bytes);
  const fetched = new Map<string, string>();
  for (const { name } of needed) {
    signal.throwIfAborted();
    const copy = await files.localCopy(job.song_id, name);
    if (copy === undefined) continue; // deleted meanwhile
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await copyFile(copy, path, constants.COPYFILE_FICLONE);
    fetched.set(name, await versionOf(path));
  }
  return fetched;
}

/** Stores results. Files that imply the existence of others are written last. */
async function keepResults(
  files: SongFiles,
  job: GrantedJob,
  folder: string,
  fetched: Fetched,
  signal: AbortSignal,
): Promise<void> {
  const there = (await namesIn(folder)).filter(RESULTS[job.step]).toSorted(writtenLast);
  const written: string[] = [];
  for (const name of there) {
    signal.throwIfAborted();
    const path = join(folder, name);
    if (fetched.get(name) === (await versionOf(path))) continue;
    await files.keep(job.song_id, name, path, signal);
    written.push(name);
  }
  const kept = (await files.list(job.song_id)).map(({ name }) => name);
  await files.removeFiles(job.song_id, outdatedFiles(job, kept, there, written));
}

/** Returns the names of files in a folder and its subfolders. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

async function versionOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path);
  return `${ino} ${size} ${mtimeMs}`;
}

/** Turns a fault of the store into a step error that a later attempt retries. */
async function inWords<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BlobError ? new StepError(error.rawMessage, true) : error;
  }
}
