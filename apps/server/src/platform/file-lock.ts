import { DatabaseSync } from "node:sqlite";

/** SQLITE_BUSY: another one holds the lock. */
const BUSY = 5;

/**
 * Takes the lock on a file for one process. It is SQLite's, because Node has no other that the system takes back when
 * its owner is killed: so there is no stale lock to judge, and no moment between looking and taking. The file stays.
 *
 * @returns gives the lock back; undefined while another one holds it
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
