import { constants, copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { GrantedJob } from "@followspot/contract";
import { BlobError } from "../blobs/blob-store.ts";
import { freeBytes } from "../platform/disk.ts";
import { attemptMark, type SongFiles } from "./song-files.ts";
import { noRoom, StepError } from "./step-error.ts";
import { NEEDS, outdatedFiles, RESULTS, writtenLast } from "./step-files.ts";

/** A folder on this machine in which one attempt of one step works: its inputs are there, its results are kept from there. */
export interface Workplace {
  readonly folder: string;
  /** Keeps the results that have their final names. */
  keep(): Promise<void>;
  close(): Promise<void>;
}

/** @param signal of the lease: what is opened under a lost one is of no use */
export type OpenWorkplace = (job: GrantedJob, signal: AbortSignal) => Promise<Workplace>;

/** Where the steps of one worker work. */
export interface Workplaces {
  readonly open: OpenWorkplace;
  /**
   * Throws away half-written files that have not been written to for a while: their worker has ended.
   * @param mark of the names, see `attemptMark`
   * @returns how many there were
   */
  removeDead(mark: string, silentMs: number): Promise<number>;
}

/** Steps work in the song's own folder: nothing is fetched, and what they leave is kept already. */
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
 * Steps work in a folder of their own on this machine: what they need is fetched from the store, and what they leave is
 * written to it.
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

/** Where steps work, by where songs are kept. */
export const workplaces = (files: SongFiles): Workplaces =>
  files.isLocal ? songFolders(files) : fetchedFolders(files);

/** File → which one it was when it was fetched. */
type Fetched = ReadonlyMap<string, string>;

async function fetchNeeds(files: SongFiles, job: GrantedJob, folder: string, signal: AbortSignal): Promise<Fetched> {
  const needed = (await files.list(job.song_id)).filter(({ name }) => NEEDS[job.step](name));
  const bytes = needed.reduce((sum, file) => sum + file.bytes, 0);
  if ((await freeBytes(folder)) < bytes) throw noRoom(bytes);
  const fetched = new Map<string, string>();
  for (const { name } of needed) {
    signal.throwIfAborted();
    const copy = await files.localCopy(job.song_id, name);
    if (copy === undefined) continue; // removed meanwhile
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await copyFile(copy, path, constants.COPYFILE_FICLONE);
    fetched.set(name, await versionOf(path));
  }
  return fetched;
}

/** Files that say that others are there come last. */
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

/** Names of files in a folder, and in its folders. */
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

/** A store that does not answer is asked again by a later attempt. */
async function inWords<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BlobError ? new StepError(error.rawMessage, true) : error;
  }
}
