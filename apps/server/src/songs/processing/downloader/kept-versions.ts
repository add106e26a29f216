import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isVersion, newestFirst } from "./version.ts";

/** Result and time of the last release check. */
interface Asked {
  /** Time of the check, ms since 1970. */
  readonly at: number;
  readonly latest: string;
}

const PROGRAM = process.platform === "win32" ? "yt-dlp.exe" : "yt-dlp";
const UNFINISHED = ".fetch-";
/** Number of retained versions: the newest and the previous one as a fallback. */
const KEPT = 2;
const LEFT_BEHIND_MS = 3600_000;

/** Fetched downloaders, each version in its own folder, so that a running program is never overwritten. */
export class KeptVersions {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  path(version: string): string {
    return join(this.folder, version, PROGRAM);
  }

  /** Returns the fetched versions, newest first. */
  async list(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch(() => []); // no version was fetched yet
    return names.filter(isVersion).sort(newestFirst);
  }

  /** Returns a new temporary path to fetch into. */
  async unfinished(): Promise<string> {
    await mkdir(this.folder, { recursive: true });
    return join(this.folder, `${UNFINISHED}${randomUUID()}`);
  }

  /** Moves a finished file to its final path atomically. */
  async keep(file: string, version: string): Promise<string> {
    await mkdir(join(this.folder, version), { recursive: true });
    await rename(file, this.path(version));
    return this.path(version);
  }

  /**
   * Deletes all but the newest two versions, and files of interrupted fetches older than an hour.
   * @param isHeld whether the path is in use
   */
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

  /** Returns the last release check by any process that shares this folder. */
  async asked(): Promise<Asked | undefined> {
    try {
      const { at, latest } = JSON.parse(await readFile(join(this.folder, "asked.json"), "utf8")) as Partial<Asked>;
      return typeof at === "number" && typeof latest === "string" ? { at, latest } : undefined;
    } catch {
      return undefined; // never checked, or the file is unreadable: the check is repeated
    }
  }

  async noteAsked(latest: string): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const file = join(this.folder, `${UNFINISHED}${randomUUID()}`);
    await writeFile(file, JSON.stringify({ at: Date.now(), latest } satisfies Asked));
    await rename(file, join(this.folder, "asked.json"));
  }
}
