import { randomFillSync } from "node:crypto";
import { monotonicFactory } from "ulid";

const pool = new Uint8Array(4096);
let used = pool.length;

/** 0..1 from a pool of chance: asking the system for each of sixteen letters costs more than a query. */
function chance(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool[used++]! / 256; // the index is below the pool's length
}

/** A ULID; those of one process rise, also within a millisecond. */
export const newId: () => string = monotonicFactory(chance);
