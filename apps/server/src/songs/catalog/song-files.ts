import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { lightingPlanSchema, type JobStep, type LightingPlan } from "@followspot/contract";
import { BlobCache, type FoundBlob } from "../../platform/blobs/blob-cache.ts";
import {
  BlobError,
  sourceOfBytes,
  sourceOfFile,
  type BlobStat,
  type BlobStore,
  type ReadBlob,
  type ReadOptions,
} from "../../platform/blobs/blob-store.ts";
import { FolderBlobs } from "../../platform/blobs/folder-blobs.ts";

const ORPHAN_MS = 3_600_000;
/** Most disk space for local copies of files in an object store, bytes. */
const CACHE_BYTES = 4e9;

/**
 * Suffix of partial files of an attempt: `name.tmp-<step>-<attempt>`; without `attempt`, it matches all attempts of the
 * step.
 */
export const attemptMark = (step: JobStep, attempt?: number) => `.tmp-${step}-${attempt ?? ""}`;

/** Returns the name of a plan file by its number; 0 for songs planned before plans were numbered. */
export const planName = (number: number) => (number === 0 ? "lighting.json" : `lighting.${number}.json`);

/** Whether a text is a song ID. Song IDs are ULIDs. */
export const isSongId = (text: string) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text);

/** One version of a song's file. */
export interface FileVersion extends BlobStat {
  /** Whether the object store returned it; false for a local copy that is sent because the store fails. */
  readonly isCurrent: boolean;
  /** Reads all of it, or a range; undefined if another version has replaced it. */
  read(range?: ReadOptions["range"]): Promise<AsyncIterable<Buffer> | undefined>;
}

/** Files of all songs, wherever they are stored: in folders below the data folder, or in an S3 bucket. */
export class SongFiles {
  readonly store: BlobStore;
  /** Folder for song files on this machine: the songs' own folders, or the work folders of steps and uploads. */
  readonly root: string;
  /** A folder on the disk that needs space for song files. */
  readonly disk: string;
  readonly #cache: BlobCache | undefined;

  constructor(dataDir: string, store: BlobStore = new FolderBlobs(dataDir)) {
    this.store = store;
    this.root = join(dataDir, store.path ? "songs" : "work");
    this.disk = store.path ? this.root : dataDir;
    if (!store.path) this.#cache = new BlobCache(store, join(dataDir, "cache", "songs"), CACHE_BYTES);
  }

  /** Whether each song has a folder on this machine. */
  get isLocal(): boolean {
    return this.store.path !== undefined;
  }

  /** Whether browsers may read files from the object store; see {@link link}. */
  get hasLinks(): boolean {
    return this.store.link !== undefined;
  }

  /** @throws RangeError if the text is not a song ID, so that no request can name another folder */
  folder(songId: string): string {
    if (!this.isLocal) throw new Error("songs have no folders here");
    return join(this.root, requireSongId(songId));
  }

  async makeFolder(songId: string): Promise<string> {
    const folder = this.folder(songId);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  path(songId: string, name: string): string {
    return join(this.folder(songId), name);
  }

  /**
   * Opens a local folder for creating files of a song: the song's own folder, or a temporary one that is deleted on
   * close.
   * @param mark suffix that identifies leftover folders after a crash; starts with `.tmp-`
   */
  async openWork(songId: string, mark: string): Promise<{ readonly folder: string; close(): Promise<void> }> {
    if (this.isLocal) return { folder: await this.makeFolder(songId), close: async () => undefined };
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(this.root, `${requireSongId(songId)}${mark}-`));
    return { folder, close: () => rm(folder, { recursive: true, force: true }) };
  }

  /**
   * Stages a result of a remote worker until it is validated. Any API server may validate it, so it is stored where all
   * of them find it.
   * @param name includes the mark of its attempt, see {@link attemptMark}
   * @param path of the file, which is moved
   */
  async layAside(songId: string, name: string, path: string): Promise<void> {
    if (this.isLocal) return rename(path, this.path(songId, name));
    await this.store.write(asideKey(songId, name), await sourceOfFile(path));
    await rm(path);
  }

  /**
   * Returns the names of staged files, as passed to {@link layAside}. In a local folder the list contains other names
   * as well.
   */
  async listAside(songId: string): Promise<readonly string[]> {
    if (this.isLocal) return readdir(this.folder(songId)).catch(() => []);
    const prefix = asideKey(songId, "");
    const names = [];
    for await (const { key } of this.store.list(prefix)) names.push(key.slice(prefix.length));
    return names;
  }

  /**
   * Returns the local path of a staged file; undefined if it is missing.
   * @param folder from {@link openWork}, into which a file in the object store is copied
   */
  async fetchAside(songId: string, name: string, folder: string): Promise<string | undefined> {
    const path = join(folder, name);
    if (this.isLocal) return path;
    const blob = await this.store.read(asideKey(songId, name));
    if (!blob) return undefined;
    await pipeline(blob.chunks, createWriteStream(path, { mode: 0o600 }));
    return path;
  }

  /** @param mark suffix of the names, see {@link attemptMark} */
  async removeAside(songId: string, mark: string): Promise<void> {
    if (this.isLocal) return removeTemporary(this.folder(songId), mark);
    const names = (await this.listAside(songId)).filter((name) => name.includes(mark));
    await this.store.remove(names.map((name) => asideKey(songId, name)));
  }

  /** Deletes staged files in the object store that are too old to be validated. */
  async removeDeadAside(silentMs: number): Promise<void> {
    if (this.isLocal) return;
    const dead = [];
    for await (const { key, mtimeMs } of this.store.list("left/")) if (Date.now() - mtimeMs > silentMs) dead.push(key);
    await this.store.remove(dead);
  }

  /** Returns size and version of a file; undefined if it does not exist. */
  async stat(songId: string, name: string): Promise<BlobStat | undefined> {
    return this.store.stat(keyOf(songId, name));
  }

  async read(songId: string, name: string, options?: ReadOptions): Promise<ReadBlob | undefined> {
    return this.store.read(keyOf(songId, name), options);
  }

  /**
   * Finds the version of a file to send to a listener: the current one, or the local copy while the object store fails.
   * @returns undefined if the file does not exist
   */
  async find(songId: string, name: string): Promise<FileVersion | undefined> {
    const key = keyOf(songId, name);
    const found: FoundBlob | BlobStat | undefined = await (this.#cache?.find(key) ?? this.store.stat(key));
    if (!found) return undefined;
    const { path = undefined, isCurrent = true } = found as Partial<FoundBlob>;
    const read = async (range: ReadOptions["range"]) => {
      if (path !== undefined) return createReadStream(path, range) as AsyncIterable<Buffer>;
      return (await this.store.read(key, { range, etag: found.etag }).catch(undefinedIfChanged))?.chunks;
    };
    return { ...found, isCurrent, read };
  }

  /** Makes a local copy of a file in the object store in the background, for when the store fails. Never rejects. */
  copyForOutage(songId: string, name: string): void {
    void this.#cache?.copy(keyOf(songId, name)).catch(() => undefined);
  }

  /** Reads the first bytes of a file; undefined if it does not exist. */
  async head(songId: string, name: string, bytes: number): Promise<Buffer | undefined> {
    const { bytes: length = 0 } = (await this.stat(songId, name)) ?? {};
    const range = { start: 0, end: Math.min(bytes, length) - 1 };
    const found = length > 0 ? await this.read(songId, name, { range }) : undefined;
    if (!found) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of found.chunks) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /**
   * Returns the path of a file for programs that read paths: the file itself, or a local copy. It must not be changed.
   * @returns undefined if the file does not exist
   */
  async localCopy(songId: string, name: string): Promise<string | undefined> {
    if (this.#cache) return this.#cache.copy(keyOf(songId, name));
    return (await this.stat(songId, name)) && this.path(songId, name);
  }

  /**
   * Returns an address from which a browser may read a file for a limited time; undefined if the file must pass through
   * this server.
   */
  async link(songId: string, name: string, seconds: number): Promise<string | undefined> {
    return this.store.link?.(keyOf(songId, name), seconds);
  }

  /** Stores a local file under a name. */
  async keep(songId: string, name: string, path: string, signal?: AbortSignal): Promise<void> {
    await this.store.write(keyOf(songId, name), await sourceOfFile(path), { signal });
  }

  /** Replaces a file with the JSON of a value. */
  async writeJson(songId: string, name: string, value: unknown): Promise<void> {
    await this.store.write(keyOf(songId, name), sourceOfBytes(JSON.stringify(value)));
  }

  /** Moves a file from a folder of {@link openWork} to the song's files. */
  async take(songId: string, name: string, path: string): Promise<void> {
    if (this.isLocal) return rename(path, this.path(songId, name));
    await this.keep(songId, name, path);
    await rm(path);
  }

  /** Returns the names and sizes of a song's files; a file in a subfolder is named `folder/name`. */
  async list(songId: string): Promise<readonly { readonly name: string; readonly bytes: number }[]> {
    const prefix = keyOf(songId, "");
    const found = [];
    for await (const { key, bytes } of this.store.list(prefix)) found.push({ name: key.slice(prefix.length), bytes });
    return found;
  }

  /** Returns the IDs of songs that have files. */
  async songIds(): Promise<readonly string[]> {
    if (this.isLocal) return (await readdir(this.root).catch(() => [])).filter(isSongId);
    return [...(await this.#lastWritten()).keys()];
  }

  /** Reads and parses a JSON file; undefined if it does not exist. */
  async readJson(songId: string, name: string): Promise<unknown> {
    if (!isSongId(songId)) return undefined;
    const path = await this.localCopy(songId, name);
    if (path === undefined) return undefined;
    try {
      return JSON.parse(await readFile(path, "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // deleted meanwhile
      throw error;
    }
  }

  /** Reads one of the song's plans; undefined if it does not exist or is invalid. */
  async readPlan(songId: string, number: number): Promise<LightingPlan | undefined> {
    return lightingPlanSchema.safeParse(await this.readJson(songId, planName(number))).data;
  }

  async removeFiles(songId: string, names: readonly string[]): Promise<void> {
    await this.store.remove(names.map((name) => keyOf(songId, name)));
  }

  /** Deletes partial files of interrupted attempts from a song's folder; see {@link attemptMark}. */
  async removeTemporary(songId: string, mark: string): Promise<void> {
    if (this.isLocal) await removeTemporary(this.folder(songId), mark); // with an object store they are in the work folder of the step
  }

  /**
   * Deletes partial files on this machine, of all songs, that have not been written to for a while because their worker
   * has ended.
   * @param mark suffix of the names, see {@link attemptMark}
   * @returns number of deleted files
   */
  async removeDead(mark: string, silentMs: number): Promise<number> {
    const folders = this.isLocal ? (await this.songIds()).map((id) => this.folder(id)) : [this.root];
    let removed = 0;
    for (const folder of folders) {
      for (const path of (await readdir(folder).catch(() => [])).map((name) => join(folder, name))) {
        if (!basename(path).includes(mark) || Date.now() - (await lastTouched(path)) < silentMs) continue;
        await rm(path, { recursive: true, force: true });
        removed++;
      }
    }
    return removed;
  }

  /**
   * Deletes files that belong to no song and have not been touched for an hour, such as uploads interrupted by a crash.
   */
  async removeOrphans(isKnown: (songIds: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const written = this.isLocal ? undefined : await this.#lastWritten();
    const ids = written ? [...written.keys()] : await this.songIds();
    const known = await isKnown(ids);
    // If none of the songs in a bucket is known, the bucket belongs to another installation.
    if (written && known.size === 0) return;
    for (const id of ids.filter((each) => !known.has(each))) {
      const touchedMs = written ? written.get(id)! : await lastTouched(this.folder(id));
      if (Date.now() - touchedMs > ORPHAN_MS) await this.remove(id);
    }
  }

  async remove(songId: string): Promise<void> {
    if (this.isLocal) return rm(this.folder(songId), { recursive: true, force: true });
    await this.removeFiles(
      songId,
      (await this.list(songId)).map(({ name }) => name),
    );
  }

  /** Returns the last write time of each song's files, ms since 1970. */
  async #lastWritten(): Promise<ReadonlyMap<string, number>> {
    const written = new Map<string, number>();
    for await (const { key, mtimeMs } of this.store.list("songs/")) {
      const id = key.split("/")[1] ?? "";
      if (isSongId(id)) written.set(id, Math.max(mtimeMs, written.get(id) ?? 0));
    }
    return written;
  }
}

/** Deletes partial files of interrupted attempts of one step from a folder; see {@link attemptMark}. */
export async function removeTemporary(folder: string, mark: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (name.includes(mark)) await rm(join(folder, name), { recursive: true, force: true });
}

/** @throws RangeError if the text is not a song ID */
function requireSongId(songId: string): string {
  if (!isSongId(songId)) throw new RangeError("not a song id");
  return songId;
}

function undefinedIfChanged(error: unknown): undefined {
  if (!(error instanceof BlobError) || error.kind !== "changed") throw error;
}

const asideKey = (songId: string, name: string) => `left/${requireSongId(songId)}/${name}`;
const keyOf = (songId: string, name: string) => `songs/${requireSongId(songId)}/${name}`;

/** Returns the last write time of a path and everything directly in it: a long upload only touches its file. */
async function lastTouched(path: string): Promise<number> {
  const names = await readdir(path).catch(() => []); // the path is a file, or was deleted
  const paths = [path, ...names.map((name) => join(path, name))];
  const times = await Promise.all(paths.map((each) => stat(each).catch(() => undefined)));
  return Math.max(...times.map((found) => found?.mtimeMs ?? 0));
}
