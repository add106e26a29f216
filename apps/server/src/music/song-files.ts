import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { lightingPlanSchema, type JobStep, type LightingPlan } from "@followspot/contract";

const ORPHAN_MS = 3_600_000;

/** Half-written files of an attempt are named `name.tmp-<step>-<attempt>`; without `attempt` those of all. */
export const attemptMark = (step: JobStep, attempt?: number) => `.tmp-${step}-${attempt ?? ""}`;

/** The file of a song's plan by its number; 0 is that of songs planned before plans were numbered. */
export const planName = (number: number) => (number === 0 ? "lighting.json" : `lighting.${number}.json`);

/** Song ids are ULIDs; anything else names no song. */
export const isSongId = (text: string) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text);

/** The folder tree below the data folder that holds every song's files. */
export class SongFiles {
  readonly root: string;

  constructor(dataDir: string) {
    this.root = join(dataDir, "songs");
  }

  /** @throws RangeError for anything but a song id, so no request can name another folder */
  folder(songId: string): string {
    if (!isSongId(songId)) throw new RangeError("not a song id");
    return join(this.root, songId);
  }

  async makeFolder(songId: string): Promise<string> {
    const folder = this.folder(songId);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  path(songId: string, name: string): string {
    return join(this.folder(songId), name);
  }

  /** Parsed JSON of a file, or undefined when it is not there. */
  async readJson(songId: string, name: string): Promise<unknown> {
    try {
      return JSON.parse(await readFile(this.path(songId, name), "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** One of a song's plans; undefined when it is not there or of another shape. */
  async readPlan(songId: string, number: number): Promise<LightingPlan | undefined> {
    return lightingPlanSchema.safeParse(await this.readJson(songId, planName(number))).data;
  }

  /** Size and time of a file, or undefined when it is not there. */
  async stat(path: string): Promise<{ size: number; mtimeMs: number } | undefined> {
    try {
      const found = await stat(path);
      return found.isFile() ? found : undefined;
    } catch {
      return undefined; // not there
    }
  }

  /**
   * Throws away half-written files of all songs that have not been written to for a while: their worker has ended.
   * @param mark of the names, see {@link attemptMark}
   * @returns how many there were
   */
  async removeDead(mark: string, silentMs: number): Promise<number> {
    let removed = 0;
    for (const id of (await readdir(this.root).catch(() => [])).filter(isSongId)) {
      for (const name of await readdir(this.folder(id)).catch(() => [])) {
        const path = this.path(id, name);
        if (!name.includes(mark) || Date.now() - (await lastTouched(path)) < silentMs) continue;
        await rm(path, { recursive: true, force: true });
        removed++;
      }
    }
    return removed;
  }

  /** Folders that belong to no song and have not been touched for an hour: uploads cut off by a crash. */
  async removeOrphans(isKnown: (songIds: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const ids = (await readdir(this.root).catch(() => [])).filter(isSongId);
    const known = await isKnown(ids);
    for (const id of ids.filter((each) => !known.has(each))) {
      if (Date.now() - (await lastTouched(this.folder(id))) > ORPHAN_MS) await this.remove(id);
    }
  }

  async remove(songId: string): Promise<void> {
    await rm(this.folder(songId), { recursive: true, force: true });
  }
}

/** When a file, or a folder or anything in it, was written last: an upload of hours touches its file only. */
async function lastTouched(path: string): Promise<number> {
  const names = await readdir(path).catch(() => []); // a file, or gone
  const paths = [path, ...names.map((name) => join(path, name))];
  const times = await Promise.all(paths.map((each) => stat(each).catch(() => undefined)));
  return Math.max(...times.map((found) => found?.mtimeMs ?? 0));
}
