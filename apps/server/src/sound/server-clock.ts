import { randomInt } from "node:crypto";

/** About three years. */
const FARTHEST_MS = 1e11;

/**
 * A clock of this server that only runs forward, ms. It began at a moment of its own: a player that comes from another API, or
 * from the one before a restart, reads a clock that is far from the one it knows, and nothing it heard by that is taken for now.
 */
export function newServerClock(): () => number {
  const began = randomInt(FARTHEST_MS);
  return () => began + performance.now();
}
