import type { LightingPlan } from "@followspot/contract";

/** Seconds shown before the best of a song, so that its coming is seen. */
const LEAD = 2;

/**
 * Where a film without a given start begins: shortly before the first chorus or drop, else at the beginning.
 * @param seconds how long it is to be; it ends with the song at the latest
 */
export function bestStart({ sections, event_lanes, duration }: LightingPlan, seconds: number): number {
  // Plans that do not name their sections have them on their cues.
  const named =
    sections ??
    Object.values(event_lanes)
      .flat()
      .map(({ section, time }) => ({ label: section, start: time }));
  const starts = named.filter(({ label }) => label === "chorus" || label === "drop").map(({ start }) => start);
  const best = starts.length > 0 ? Math.min(...starts) - LEAD : 0;
  return Math.max(0, Math.min(best, duration - seconds));
}
