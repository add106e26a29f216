/** Heads speed up and slow down for at least so long, seconds. */
export const RAMP_SECONDS = 0.15;

/**
 * Seconds a head takes for a way: ramps at both ends and never faster than its limit between them.
 * @param degrees of the way, >= 0
 * @param limit degrees a second, > 0
 */
export function travelSeconds(degrees: number, limit: number): number {
  return Math.max(2 * RAMP_SECONDS, degrees / limit + RAMP_SECONDS);
}

/**
 * Share of a way that is done, 0..1.
 * @param share of its time, 0..1
 * @param ramp share of its time it speeds up, and slows down, for: above 0, at most a half
 */
export function travelled(share: number, ramp: number): number {
  if (share <= 0) return 0;
  if (share >= 1) return 1;
  const pace = 1 / (1 - ramp);
  if (share < ramp) return (pace * share * share) / (2 * ramp);
  if (share > 1 - ramp) return 1 - (pace * (1 - share) * (1 - share)) / (2 * ramp);
  return pace * (share - ramp / 2);
}
