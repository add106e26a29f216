import { randomInt } from "node:crypto";

/** About three years. */
const FARTHEST_MS = 1e11;

/**
 * Creates a monotonic clock of this server, ms, with a random start. A player that arrives from another API, or from
 * before a restart, has a clock estimate far from this one. Therefore its old positions are never mistaken for current
 * ones.
 */
export function newServerClock(): () => number {
  const began = randomInt(FARTHEST_MS);
  return () => began + performance.now();
}
