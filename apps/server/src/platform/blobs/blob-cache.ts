import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { BlobError, type BlobStat, type BlobStore } from "./blob-store.ts";

/** Time within which a returned path is opened, ms; such copies are not evicted. */
const IN_USE_MS = 10 * 60_000;
/** Time after which a copy is used instead of a store that has not responded, ms. */
const PATIENCE_MS = 3000;
/** Time without writes after which a partial download counts as abandoned, ms. */
const DEAD_MS = 3_600_000;

/** A version of a key. */
export interface FoundBlob extends BlobStat {
  /** Path of its local copy; undefined if there is none. */
  readonly path?: string | undefined;
  /** Whether the store returned it; false for a copy that is used because the store fails. */
  readonly isCurrent: boolean;
}

/**
 * Cache of local copies, for programs that read paths. Each content is fetched once, also for concurrent requests.
 * Copies are evicted in least-recently-used order when they exceed the size limit. Several processes share the folder.
 */
export class BlobCache {
  readonly #store: BlobStore;
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #onTheWay = new Map<string, Promise<string | undefined>>();

  constructor(store: BlobStore, folder: string, mostBytes: number) {
    this.#store = store;
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /** @returns path of a copy that must not be changed; undefined if the key does not exist */
  async copy(key: string): Promise<string | undefined> {
    const found = await this.find(key);
    if (!found || found.path !== undefined) return found?.path;
    const path = this.#pathOf(key, found.etag);
    const known = this.#onTheWay.get(path);
    if (known) return known;
    const coming = this.#fetch(key, found.etag, path).finally(() => this.#onTheWay.delete(path));
    this.#onTheWay.set(path, coming);
    return coming;
  }

  /**
   * Finds the current version of a key. While the store is unavailable, rejects our credentials or does not respond, the
   * most recently used copy counts, so that a night continues.
   * @returns undefined if the key does not exist
   * @throws BlobError if the store fails and there is no copy
   */
  async find(key: string): Promise<FoundBlob | undefined> {
    const current = this.#store.stat(key).catch((error: unknown) => {
      if (error instanceof BlobError && (error.kind === "away" || error.kind === "refused")) return error;
      throw error;
    });
    const first = await Promise.race([current, pause(PATIENCE_MS, "late" as const, { ref: false })]);
    const copy = first === "late" || first instanceof BlobError ? await this.#newest(key) : undefined;
    if (copy) return copy;
    const stat = await current;
    if (stat instanceof BlobError) throw stat;
    if (!stat) return undefined;
    const path = this.#pathOf(key, stat.etag);
    return { ...stat, isCurrent: true, path: (await touch(path)) ? path : undefined };
  }

  /** Returns the most recently used copy of a key. */
  async #newest(key: string): Promise<FoundBlob | undefined> {
    const copies = (await this.#files()).filter(
      ({ path }) => basename(path).startsWith(`${hashOf(key)}-`) && !path.includes(".tmp-"),
    );
    const newest = copies.toSorted((a, b) => b.usedMs - a.usedMs)[0];
    if (!newest || !(await touch(newest.path))) return undefined;
    const { path, bytes, usedMs } = newest;
    return { path, bytes, mtimeMs: usedMs, etag: basename(path, extname(path)), isCurrent: false };
  }

  #pathOf(key: string, etag: string): string {
    return join(this.#folder, `${hashOf(key)}-${hashOf(etag)}${extname(key)}`);
  }

  async #fetch(key: string, etag: string, path: string): Promise<string | undefined> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = `${path}.tmp-${randomBytes(6).toString("hex")}`;
    try {
      const isThere = await this.#download(key, etag, temporary).catch((error: unknown) => {
        // Data corrupted in transit is intact at the next attempt.
        if (!(error instanceof BlobError) || error.kind !== "damaged") throw error;
        return this.#download(key, etag, temporary);
      });
      if (!isThere) return undefined;
      await rename(temporary, path);
    } catch (error) {
      if (error instanceof BlobError && error.kind === "changed") return this.copy(key);
      throw error;
    } finally {
      await rm(temporary, { force: true });
    }
    await this.#makeRoom();
    return path;
  }

  async #download(key: string, etag: string, path: string): Promise<boolean> {
    const blob = await this.#store.read(key, { etag });
    if (blob) await pipeline(blob.chunks, createWriteStream(path, { mode: 0o600 }));
    return blob !== undefined;
  }

  async #makeRoom(): Promise<void> {
    const files = await this.#files();
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files.toSorted((a, b) => a.usedMs - b.usedMs)) {
      const silentMs = Date.now() - file.usedMs;
      const isDead = file.path.includes(".tmp-") && silentMs > DEAD_MS;
      if (!isDead && (bytes <= this.#mostBytes || silentMs < IN_USE_MS)) continue;
      await rm(file.path, { force: true });
      bytes -= file.bytes;
    }
  }

  async #files(): Promise<readonly { readonly path: string; readonly bytes: number; readonly usedMs: number }[]> {
    const paths = (await readdir(this.#folder).catch(() => [])).map((name) => join(this.#folder, name)); // the folder may not exist yet
    const found = await Promise.all(paths.map(async (path) => ({ path, is: await stat(path).catch(() => undefined) })));
    return found.flatMap(({ path, is }) => (is ? [{ path, bytes: is.size, usedMs: is.mtimeMs }] : [])); // deleted meanwhile
  }
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 24);

/** Records that a copy is in use now. @returns whether it exists */
function touch(path: string): Promise<boolean> {
  const now = new Date();
  return utimes(path, now, now).then(
    () => true,
    () => false,
  );
}
