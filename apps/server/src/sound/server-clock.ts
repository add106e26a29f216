import { randomInt } from "node:crypto";

/** About three years. */
const FARTHEST_MS = 1e11;

/**
 * Creates a monotonic clock of this server, ms, with a random start. A player that comes from another API or from
 * before a restart then sees a clock far from its estimate, so its old positions are not mistaken for current ones.
 */
export function newServerClock(): () => number {
  const began = randomInt(FARTHEST_MS);
  return () => began + performance.now();
}
