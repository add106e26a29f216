import { readFile, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
/** What databases and products that run at the same time may take. */
const ROOM_BYTES = 4e9;

/**
 * Path of the folder in which tests keep databases and data folders: in memory where there is room and programs may run, else on
 * the disk. Files that come and go by the hundred thousand are what a disk is slowest at: ext4 looks at each that was deleted a
 * short while ago before it makes the next (`recently_deleted` in its ialloc.c).
 */
export async function fastFolder(): Promise<string> {
  const [mounts, { bavail, bsize }] = await Promise.all([
    readFile("/proc/mounts", "utf8").catch(() => ""),
    statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 })),
  ]);
  const options = mounts
    .split("\n")
    .map((line) => line.split(" "))
    .find(([, folder]) => folder === MEMORY)?.[3];
  const isFit = options !== undefined && !options.split(",").includes("noexec") && bavail * bsize > ROOM_BYTES;
  return isFit ? MEMORY : tmpdir();
}
