import { stat, statfs } from "node:fs/promises";
import { BackupError } from "./manifest.ts";

/** Bytes left free for other programs on the disk. */
const SPARE_BYTES = 200 * 1024 ** 2;
const UNITS = ["bytes", "KB", "MB", "GB", "TB"] as const;

/** Formats a count: "1 row", "2,000 rows". */
export const countWords = (n: number, one: string, many = `${one}s`) =>
  `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Formats a size with base 1024, as on the screens: "214.3 MB". */
export function sizeWords(bytes: number): string {
  const unit = Math.min(Math.floor(Math.log2(Math.max(1, bytes)) / 10), UNITS.length - 1);
  return unit === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** unit).toFixed(1)} ${UNITS[unit]}`;
}

/**
 * Checks the free space before anything is written; needs on the same disk are added up.
 * @throws BackupError with the needed and the available space
 */
export async function requireRoom(what: string, needs: readonly { folder: string; bytes: number }[]): Promise<void> {
  const disks = new Map<number, { folder: string; bytes: number }>();
  for (const { folder, bytes } of needs) {
    const { dev } = await stat(folder);
    const disk = disks.get(dev);
    disks.set(dev, { folder: disk?.folder ?? folder, bytes: (disk?.bytes ?? 0) + bytes });
  }
  for (const { folder, bytes } of disks.values()) {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    if (free >= bytes + SPARE_BYTES) continue;
    throw new BackupError(
      `There is no room for ${what}: it needs ${sizeWords(bytes + SPARE_BYTES)}, and the disk of ${folder} has ${sizeWords(free)} free. Free some, or use another disk. Nothing was written.`,
    );
  }
}
