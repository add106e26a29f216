import { statfs } from "node:fs/promises";

/** Room the database and the broker need to start at all. */
export const MIN_FREE_BYTES = 200_000_000;
/** A disk with less is full: what writes to it fails. */
const FULL_BYTES = 8_000_000;

/** What can be used on the disk that holds this folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Whether something can still be written to the disk that holds this folder. */
export async function hasRoom(folder: string): Promise<boolean> {
  return (await freeBytesOf(folder)) >= FULL_BYTES;
}
