import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { GrantedJob } from "@followspot/contract";
import type { SongFiles } from "./song-files.ts";

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

/** Throws away what interrupted attempts of one step left half-written in a folder; see `attemptMark`. */
export async function removeTemporary(folder: string, mark: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.includes(mark)) await rm(join(folder, name), { recursive: true, force: true });
  }
}
