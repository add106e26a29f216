import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isVersion, newestFirst } from "./version.ts";

/** What the release address said, and when. */
interface Asked {
  /** ms since 1970 */
  readonly at: number;
  readonly latest: string;
}

const PROGRAM = process.platform === "win32" ? "yt-dlp.exe" : "yt-dlp";
const UNFINISHED = ".fetch-";
/** The newest, and the one before it to go back to. */
const KEPT = 2;
const LEFT_BEHIND_MS = 3600_000;

/** Fetched downloaders, each version in a folder of its own: what runs is never written over. */
export class KeptVersions {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  path(version: string): string {
    return join(this.folder, version, PROGRAM);
  }

  /** Newest first. */
  async list(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch(() => []); // nothing was fetched yet
    return names.filter(isVersion).sort(newestFirst);
  }

  /** A new path to fetch into. */
  async unfinished(): Promise<string> {
    await mkdir(this.folder, { recursive: true });
    return join(this.folder, `${UNFINISHED}${randomUUID()}`);
  }

  /** Puts a finished file in its place, at once. */
  async keep(file: string, version: string): Promise<string> {
    await mkdir(join(this.folder, version), { recursive: true });
    await rename(file, this.path(version));
    return this.path(version);
  }

  /** Removes all but the newest two, and what interrupted fetches left. @param isHeld paths at work */
  async prune(isHeld: (path: string) => boolean): Promise<void> {
    const old = (await this.list()).slice(KEPT).filter((version) => !isHeld(this.path(version)));
    for (const version of old) await rm(join(this.folder, version), { recursive: true, force: true });
    for (const name of await readdir(this.folder)) {
      if (!name.startsWith(UNFINISHED)) continue;
      const path = join(this.folder, name);
      const written = (await stat(path).catch(() => undefined))?.mtimeMs;
      if (written !== undefined && Date.now() - written > LEFT_BEHIND_MS) await rm(path, { force: true });
    }
  }

  /** When the release address was last asked, by any process on this folder. */
  async asked(): Promise<Asked | undefined> {
    try {
      const { at, latest } = JSON.parse(await readFile(join(this.folder, "asked.json"), "utf8")) as Partial<Asked>;
      return typeof at === "number" && typeof latest === "string" ? { at, latest } : undefined;
    } catch {
      return undefined; // never, or not to be read: it is asked again
    }
  }

  async noteAsked(latest: string): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const file = join(this.folder, `${UNFINISHED}${randomUUID()}`);
    await writeFile(file, JSON.stringify({ at: Date.now(), latest } satisfies Asked));
    await rename(file, join(this.folder, "asked.json"));
  }
}
