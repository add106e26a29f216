import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, mkdir, open, readdir, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { publishFile, temporaryPath } from "../files/atomic-file.ts";
import {
  BlobError,
  checked,
  requireKey,
  sourceOfFile,
  type BlobSource,
  type BlobStat,
  type BlobStore,
  type ListedBlob,
  type ReadBlob,
  type ReadOptions,
  type WriteOptions,
} from "./blob-store.ts";

/** Store in the data folder: keys are relative paths. */
export class FolderBlobs implements BlobStore {
  readonly name = "the data folder";
  readonly #root: string;

  constructor(dataDir: string) {
    this.#root = dataDir;
  }

  path(key: string): string {
    return join(this.#root, requireKey(key));
  }

  async stat(key: string): Promise<BlobStat | undefined> {
    const found = await stat(this.path(key)).catch(undefinedIfGone);
    return found?.isFile() ? statOf(found) : undefined;
  }

  async read(key: string, { range, etag, signal }: ReadOptions = {}): Promise<ReadBlob | undefined> {
    const file = await open(this.path(key)).catch(undefinedIfGone);
    if (!file) return undefined;
    try {
      const found = await file.stat();
      if (!found.isFile()) return void (await file.close());
      const is = statOf(found);
      if (etag !== undefined && is.etag !== etag) throw replaced(key);
      if (is.bytes === 0) await file.close();
      const chunks = is.bytes === 0 ? none() : file.createReadStream({ ...range, signal });
      return { ...is, chunks: chunks as AsyncIterable<Buffer> };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async write(key: string, source: BlobSource, { ifAbsent = false, signal }: WriteOptions = {}): Promise<void> {
    const path = this.path(key);
    await mkdir(dirname(path), { recursive: true });
    const temporary = temporaryPath(path, `blob-${randomBytes(6).toString("hex")}`);
    try {
      await pipeline(checked(source.open(), source, key), createWriteStream(temporary, { flush: true }), { signal });
      if (ifAbsent) {
        // A link fails if the name is taken, unlike a rename.
        await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
          throw error.code === "EEXIST" ? replaced(key) : error;
        });
        await rm(temporary);
      } else await publishFile(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async *list(prefix: string): AsyncGenerator<ListedBlob> {
    // Walks the folder part of the prefix and compares the rest.
    yield* this.#walk(prefix.slice(0, prefix.lastIndexOf("/")), prefix);
  }

  async *#walk(folder: string, prefix: string): AsyncGenerator<ListedBlob> {
    const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(undefinedIfGone);
    for (const entry of entries ?? []) {
      const key = `${folder}/${entry.name}`;
      if (!key.startsWith(prefix) || entry.name.includes(".tmp-")) continue;
      if (entry.isDirectory()) yield* this.#walk(key, prefix);
      const found = entry.isFile() ? await this.stat(key) : undefined;
      if (found) yield { key, ...found };
    }
  }

  /** Also removes folders that become empty. */
  async remove(keys: readonly string[]): Promise<void> {
    for (const path of keys.map((key) => this.path(key))) {
      await rm(path, { force: true });
      for (let folder = dirname(path); dirname(folder) !== this.#root; folder = dirname(folder)) {
        const isGone = await rmdir(folder).then(
          () => true,
          () => false, // the folder is not empty
        );
        if (!isGone) break;
      }
    }
  }

  async digest(key: string): Promise<string | undefined> {
    return (await sourceOfFile(this.path(key)).catch(undefinedIfGone))?.sha256;
  }
}

async function* none(): AsyncGenerator<Buffer> {}

const statOf = ({ size, mtimeMs, ino }: { size: number; mtimeMs: number; ino: number }): BlobStat => ({
  bytes: size,
  etag: [ino, size, Math.round(mtimeMs * 1000)].map((n) => n.toString(36)).join("-"),
  mtimeMs,
});

const replaced = (key: string) => new BlobError("changed", `${key} was replaced meanwhile.`);

function undefinedIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
}
