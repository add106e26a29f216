import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Write a file so that readers see the old one or the whole new one, never a part, also after
 * a power cut: the bytes go to `path.tmp-<attempt>`, are flushed to the disk, and take the name.
 *
 * @param attempt tells two writers of one file apart, such as a job id with its attempt number
 * @param mode who may read it, less what the process's umask takes away
 */
export async function writeFileAtomic(
  path: string,
  bytes: string | Uint8Array,
  attempt: string,
  mode = 0o666,
): Promise<void> {
  const temporary = temporaryPath(path, attempt);
  try {
    const file = await open(temporary, "w", mode);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await publishFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Where a file is written before it takes its name. */
export function temporaryPath(path: string, attempt: string): string {
  return `${path}.tmp-${attempt.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
}

/** Give a flushed temporary file its name, and flush the folder so that the name lasts. */
export async function publishFile(temporary: string, path: string): Promise<void> {
  await rename(temporary, path);
  // Some file systems refuse to flush a folder; the rename itself has happened.
  const folder = await open(dirname(path), "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
