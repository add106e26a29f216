import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file atomically: readers see the old or the complete new file, never a part, even after a power loss. The
 * bytes go to `path.tmp-<attempt>`, are flushed to disk, and the file is then renamed.
 *
 * @param attempt distinguishes two writers of one file, such as a job ID with its attempt number
 * @param mode permission bits before the umask of the process
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

/** Returns the temporary path of a file that is being written. */
export function temporaryPath(path: string, attempt: string): string {
  return `${path}.tmp-${attempt.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
}

/** Renames a flushed temporary file to its final name and flushes the folder, so that the rename is durable. */
export async function publishFile(temporary: string, path: string): Promise<void> {
  await rename(temporary, path);
  // Some file systems refuse to flush a folder; the rename itself has happened.
  const folder = await open(dirname(path), "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
