import { readFile, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Free memory that databases and products of tests may need, bytes. */
const ROOM_BYTES = 4e9;

/**
 * Returns the folder for databases and data folders of tests: in memory if there is room and programs may run there, else on the
 * disk. Disks are slowest at many short-lived files: ext4 checks each recently deleted one before it creates another
 * (`recently_deleted` in its ialloc.c).
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
  if (!isFit) return tmpdir();
  // Made and removed with its run (scripts/test-run/run-folder.mjs); vitest started by hand has none.
  return join(MEMORY, process.env.TEST_RUN ?? "");
}
