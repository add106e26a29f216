import { DatabaseSync } from "node:sqlite";

/** SQLITE_BUSY: another process holds the lock. */
const BUSY = 5;

/**
 * Acquires an exclusive lock on a file. Uses SQLite, the only lock in Node that the system releases when its owner is
 * killed. There are therefore no stale locks and no race between check and acquisition. The file remains.
 *
 * @returns function that releases the lock; undefined while another process holds it
 */
export function takeFileLock(path: string): (() => void) | undefined {
  const lock = new DatabaseSync(path);
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    return undefined;
  }
  return () => lock.close();
}
