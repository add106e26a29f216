import { randomFillSync } from "node:crypto";
import { monotonicFactory } from "ulid";

const pool = new Uint8Array(4096);
let used = pool.length;

/** Returns a random number 0..1 from a pool: a system call for each of sixteen letters would cost more than a query. */
function chance(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool[used++]! / 256; // the index is below the pool's length
}

/** Returns a ULID; those of one process increase, also within a millisecond. */
export const newId: () => string = monotonicFactory(chance);
