import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { open, rm, rmdir, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Separate file system that can be filled up. */
export interface SmallDisk {
  readonly path: string;
  /** Fills the disk up to this number of free bytes. */
  fill(leftBytes?: number): Promise<void>;
  makeRoom(): Promise<void>;
  unmount(): Promise<void>;
}

/** @param path existing folder; a temporary one by default @throws if this account may not mount */
export function mountSmallDisk(megabytes: number, path = mkdtempSync(join(tmpdir(), "followspot-disk-"))): SmallDisk {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "tmpfs", path], { stdio: "ignore" });
  chmodSync(path, 0o755);
  const ballast = join(path, "ballast");
  return {
    path,
    fill: async (leftBytes = 0) => {
      const file = await open(ballast, "a");
      const { size } = await file.stat();
      const grown = await writeUntilFull(file, size);
      await file.close();
      await truncate(ballast, Math.max(0, grown - leftBytes));
    },
    makeRoom: () => rm(ballast, { force: true }),
    unmount: async () => {
      // Processes that still use it retain their files until they end.
      execFileSync("umount", ["--lazy", path], { stdio: "ignore" });
      await rmdir(path);
    },
  };
}

/** Whether this account may mount a file system: root may, also in most containers. */
export const canMount = ((): boolean => {
  const path = mkdtempSync(join(tmpdir(), "followspot-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path], { stdio: "ignore" });
    execFileSync("umount", [path], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
})();

/** @returns the length of the file afterwards */
async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, size: number): Promise<number> {
  const bytes = Buffer.alloc(64 * 1024);
  for (let at = size; ;) {
    try {
      at += (await file.write(bytes, 0, bytes.length, at)).bytesWritten;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      return at;
    }
  }
}
