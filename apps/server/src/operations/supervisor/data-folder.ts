import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DATA_FOLDERS } from "../backup/manifest.ts";
import { freeBytes, MIN_FREE_BYTES } from "../../platform/files/disk.ts";
import { takeFileLock } from "../../platform/files/file-lock.ts";
import { StartError } from "./processes.ts";

/**
 * Creates the data folder and restricts its subfolders to this account. @throws StartError if it cannot be written or
 * its disk is full
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    if ((await freeBytes(dataDir)) < MIN_FREE_BYTES) {
      throw new StartError(
        `There is no space left for ${dataDir} (less than 200 MB free). Free some, or set FOLLOWSPOT_DATA_DIR to another disk.`,
      );
    }
    for (const name of DATA_FOLDERS) {
      await mkdir(join(dataDir, name), { recursive: true });
      await chmod(join(dataDir, name), 0o700); // also one that an older release created with open permissions
    }
    await writeFile(join(dataDir, ".writable"), "");
    await rm(join(dataDir, ".writable"), { force: true });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `The data folder ${dataDir} cannot be written: ${(error as Error).message}\nSet FOLLOWSPOT_DATA_DIR to a folder you own.`,
    );
  }
}

/**
 * Locks the data folder for one instance: two databases on one folder would destroy it.
 *
 * @returns function that releases the lock
 * @throws StartError that names the process with the lock
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const pidFile = join(dataDir, "running.pid");
  const release = takeFileLock(join(dataDir, "running.lock"));
  if (!release) {
    const pid = await readFile(pidFile, "utf8").catch(() => "");
    throw new StartError(
      `Followspot is running on ${dataDir} already${pid && ` (process ${pid})`}. Stop it first, or set PORT and FOLLOWSPOT_DATA_DIR for a second one.`,
    );
  }
  await writeFile(pidFile, String(process.pid));
  return async () => {
    await rm(pidFile, { force: true });
    release();
  };
}
