import { statfs } from "node:fs/promises";

/** Free bytes that the database and the broker need to start. */
export const MIN_FREE_BYTES = 200_000_000;
/** Free bytes below which a disk counts as full, because writes fail. */
const FULL_BYTES = 8_000_000;

/** Returns the bytes that this account may still write on the disk of a path. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** Whether the disk of a path has space for writes. */
export async function hasRoom(path: string): Promise<boolean> {
  return (await freeBytes(path)) >= FULL_BYTES;
}

/** Whether a write failed because the disk or the account's quota is full. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT";
}
