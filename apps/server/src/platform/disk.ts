import { statfs } from "node:fs/promises";

/** Room the database and the broker need to start at all. */
export const MIN_FREE_BYTES = 200_000_000;
/** A disk with less is full: what writes to it fails. */
const FULL_BYTES = 8_000_000;

/** Bytes this account may still write on the disk a path lies on. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** Whether something can still be written to the disk a path lies on. */
export async function hasRoom(path: string): Promise<boolean> {
  return (await freeBytes(path)) >= FULL_BYTES;
}

/** Whether writing failed because the disk, or what this account may use of it, is full. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT";
}
