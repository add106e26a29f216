/** Shortest time in which heads speed up and slow down, seconds. */
export const RAMP_SECONDS = 0.15;

/**
 * Returns the time that a head takes for a move, seconds: ramps at both ends and never faster than its limit in
 * between.
 *
 * @param degrees length of the move, >= 0
 * @param limit degrees per second, > 0
 */
export function travelSeconds(degrees: number, limit: number): number {
  return Math.max(2 * RAMP_SECONDS, degrees / limit + RAMP_SECONDS);
}

/**
 * Returns the share of a move that is complete, 0..1.
 *
 * @param share elapsed share of its time, 0..1
 * @param ramp share of its time for speeding up, and for slowing down: above 0, at most a half
 */
export function travelled(share: number, ramp: number): number {
  if (share <= 0) return 0;
  if (share >= 1) return 1;
  const pace = 1 / (1 - ramp);
  if (share < ramp) return (pace * share * share) / (2 * ramp);
  if (share > 1 - ramp) return 1 - (pace * (1 - share) * (1 - share)) / (2 * ramp);
  return pace * (share - ramp / 2);
}
