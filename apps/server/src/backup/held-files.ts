import { constants } from "node:fs";
import { copyFile, link, mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BlobError, type BlobStore } from "../blobs/blob-store.ts";
import { readFirst } from "./hashed-files.ts";
import { DATA_FOLDERS, listFiles, RECORDINGS, type KeptFile } from "./manifest.ts";

/** Beside the files, so that they can be linked; its name keeps it out of every list of songs. */
const HELD = "backup-files.tmp";
/** Links made side by side. */
const AT_ONCE = 64;

/** Files as they were at one moment, whatever is replaced or deleted afterwards. */
export interface HeldFiles {
  /** Sizes of that moment: a recording goes on growing. */
  readonly files: readonly KeptFile[];
  /** @throws BlobError of kind "changed" where a store that is elsewhere has another file by now */
  read(file: KeptFile): AsyncIterable<Buffer>;
  /** Lets the files go. */
  release(): Promise<void>;
}

/** Holds the files of this moment: those of the data folder, and those of songs wherever they are kept. */
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
 * Holds the files of a data folder by hard links: that takes milliseconds and no room, and what is written anew gets
 * another file under the old name. Half-written files (`.tmp`) are left out. What a killed backup has left is let go.
 */
async function holdFolders(dataDir: string, names: readonly string[]): Promise<HeldFiles> {
  const folder = join(dataDir, HELD);
  const release = () => rm(folder, { recursive: true, force: true });
  await release();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const listed = (await Promise.all(names.map((name) => listFiles(dataDir, name)))).flat();
    // In order: of a recording that is deleted just now its page goes first, so it is linked last.
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

/** A store that is elsewhere holds nothing for us: which file it was is noted, and another one is refused. */
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
      // A file system without hard links.
      return copyFile(from, to, constants.COPYFILE_FICLONE);
    });
    return { path, bytes: (await stat(to)).size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // deleted since it was listed
    throw error;
  }
}
