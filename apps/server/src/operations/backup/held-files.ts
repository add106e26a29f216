import { constants } from "node:fs";
import { copyFile, link, mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BlobError, type BlobStore } from "../../platform/blobs/blob-store.ts";
import { readFirst } from "./hashed-files.ts";
import { DATA_FOLDERS, listFiles, RECORDINGS, type KeptFile } from "./manifest.ts";

/** Folder for hard links, on the same file system; its name excludes it from every list of songs. */
const HELD = "backup-files.tmp";
/** Links created in parallel. */
const AT_ONCE = 64;

/** Snapshot of files, unaffected by later changes and deletions. */
export interface HeldFiles {
  /** Files with their sizes at the time of the snapshot, because recordings keep growing. */
  readonly files: readonly KeptFile[];
  /** @throws BlobError of kind "changed" if a remote store has another version by now */
  read(file: KeptFile): AsyncIterable<Buffer>;
  /** Releases the snapshot. */
  release(): Promise<void>;
}

/** Takes a snapshot of files: those of the data folder, and those of songs wherever they are stored. */
export async function holdFiles(dataDir: string, store: BlobStore): Promise<HeldFiles> {
  if (store.path) return holdFolders(dataDir, DATA_FOLDERS);
  const held = await holdFolders(dataDir, [RECORDINGS]);
  try {
    const stored = await noteStored(store);
    return {
      ...held,
      files: [...held.files, ...stored.files],
      read: (file) => (file.path.startsWith(`${RECORDINGS}/`) ? held : stored).read(file),
    };
  } catch (error) {
    await held.release();
    throw error;
  }
}

/**
 * Takes a snapshot of a data folder by hard links, which takes milliseconds and no space: a rewritten file is a new
 * file under the old name. Partial files (`.tmp`) are excluded. Removes the links of a killed backup.
 */
async function holdFolders(dataDir: string, names: readonly string[]): Promise<HeldFiles> {
  const folder = join(dataDir, HELD);
  const release = () => rm(folder, { recursive: true, force: true });
  await release();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const listed = (await Promise.all(names.map((name) => listFiles(dataDir, name)))).flat();
    // Sorted: the index page of a recording is deleted first, so it is linked last.
    const paths = listed.filter((path) => !path.includes(".tmp")).sort();
    for (const parent of new Set(paths.map((path) => dirname(path))))
      await mkdir(join(folder, parent), { recursive: true, mode: 0o700 });
    const files: KeptFile[] = [];
    for (let i = 0; i < paths.length; i += AT_ONCE) {
      const held = paths.slice(i, i + AT_ONCE).map((path) => hold(dataDir, folder, path));
      files.push(...(await Promise.all(held)).filter((file) => file !== undefined));
    }
    return { files, read: ({ path, bytes }) => readFirst(join(folder, path), bytes), release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Records the versions of files in a remote store, which cannot hold them; reading another version fails. */
async function noteStored(store: BlobStore): Promise<Pick<HeldFiles, "files" | "read">> {
  const etags = new Map<string, string>();
  const files: KeptFile[] = [];
  for await (const { key, bytes, etag } of store.list("songs/")) {
    if (key.includes(".tmp")) continue;
    files.push({ path: key, bytes });
    etags.set(key, etag);
  }
  async function* read({ path }: KeptFile): AsyncGenerator<Buffer> {
    const found = await store.read(path, { etag: etags.get(path) });
    if (!found) throw new BlobError("changed", `${path} was removed meanwhile.`);
    yield* found.chunks;
  }
  return { files, read };
}

async function hold(dataDir: string, folder: string, path: string): Promise<KeptFile | undefined> {
  const [from, to] = [join(dataDir, path), join(folder, path)];
  try {
    await link(from, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") throw error;
      // The file system does not support hard links.
      return copyFile(from, to, constants.COPYFILE_FICLONE);
    });
    return { path, bytes: (await stat(to)).size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // deleted after it was listed
    throw error;
  }
}
