import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { BlobError, type BlobStore } from "./blob-store.ts";

/** A path that was handed out is opened within this. */
const IN_USE_MS = 10 * 60_000;
/** A download on which nothing was written for so long has ended with its process. */
const DEAD_MS = 3_600_000;

/**
 * Copies of files on this machine, for programs that read paths. One is fetched once for each content, also when two ask
 * at once; what was not asked for longest goes when they are too many bytes together. Several processes share the folder.
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

  /** @returns the path of a copy, which is not to be changed; undefined when nothing has this key */
  async copy(key: string): Promise<string | undefined> {
    let etag: string | undefined;
    try {
      ({ etag } = (await this.#store.stat(key)) ?? {});
    } catch (error) {
      // A night goes on with what is here while the store is away.
      const known = error instanceof BlobError && error.kind === "away" ? await this.#newest(key) : undefined;
      if (known === undefined) throw error;
      return known;
    }
    if (etag === undefined) return undefined;
    const path = join(this.#folder, `${hashOf(key)}-${hashOf(etag)}${extname(key)}`);
    if (await touch(path)) return path;
    const known = this.#onTheWay.get(path);
    if (known) return known;
    const coming = this.#fetch(key, etag, path).finally(() => this.#onTheWay.delete(path));
    this.#onTheWay.set(path, coming);
    return coming;
  }

  /** The copy of a key that was used last. */
  async #newest(key: string): Promise<string | undefined> {
    const copies = (await this.#files()).filter(
      ({ path }) => basename(path).startsWith(`${hashOf(key)}-`) && !path.includes(".tmp-"),
    );
    const newest = copies.toSorted((a, b) => b.usedMs - a.usedMs)[0];
    return newest && (await touch(newest.path)) ? newest.path : undefined;
  }

  async #fetch(key: string, etag: string, path: string): Promise<string | undefined> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = `${path}.tmp-${randomBytes(6).toString("hex")}`;
    try {
      const isThere = await this.#download(key, etag, temporary).catch((error: unknown) => {
        // A bit that was lost on the way is there the next time.
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
    const paths = (await readdir(this.#folder).catch(() => [])).map((name) => join(this.#folder, name)); // not made yet
    const found = await Promise.all(paths.map(async (path) => ({ path, is: await stat(path).catch(() => undefined) })));
    return found.flatMap(({ path, is }) => (is ? [{ path, bytes: is.size, usedMs: is.mtimeMs }] : [])); // deleted meanwhile
  }
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 24);

/** Notes that a copy is used now. @returns whether it is there */
function touch(path: string): Promise<boolean> {
  const now = new Date();
  return utimes(path, now, now).then(
    () => true,
    () => false,
  );
}
