import { link, rm } from "node:fs/promises";
import { join } from "node:path";
import { hashChunks, verify } from "./hashed-files.ts";
import { readManifest, type KeptFile } from "./manifest.ts";

/** Files of an earlier backup on the same disk, of which a new one takes unchanged files over as hard links. */
export class EarlierFiles {
  readonly #folder: string;
  readonly #files: ReadonlyMap<string, KeptFile>;

  /** @param folder a complete backup; undefined or a damaged one has no files to take over */
  static async open(folder: string | undefined): Promise<EarlierFiles> {
    const manifest = folder === undefined ? undefined : await readManifest(folder).catch(() => undefined);
    return new EarlierFiles(folder ?? "", manifest?.files ?? []);
  }

  private constructor(folder: string, files: readonly KeptFile[]) {
    this.#folder = folder;
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  /** Whether the earlier backup has a file of this name and size. */
  has({ path, bytes }: KeptFile): boolean {
    const earlier = this.#files.get(path);
    return earlier?.sha256 !== undefined && earlier.bytes === bytes;
  }

  /**
   * Links the earlier copy of a file into a new backup if its content is the same, and verifies that copy.
   *
   * @param chunks content of the file now
   * @param target path in the new backup
   * @returns size and checksum; undefined if the file must be copied
   */
  async share(file: KeptFile, chunks: AsyncIterable<Buffer>, target: string, signal?: AbortSignal) {
    if (!this.has(file)) return undefined;
    const earlier = this.#files.get(file.path)!;
    const now = await hashChunks(chunks, signal);
    if (now.sha256 !== earlier.sha256) return undefined;
    try {
      await link(join(this.#folder, file.path), target);
    } catch {
      return undefined; // another disk, or a file system without hard links
    }
    try {
      await verify(target, now, file.path, signal);
      return now;
    } catch (error) {
      await rm(target, { force: true });
      if (signal?.aborted) throw error;
      return undefined; // the earlier copy is damaged
    }
  }
}
