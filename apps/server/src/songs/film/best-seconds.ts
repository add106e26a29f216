import type { LightingPlan } from "@followspot/contract";

/** Seconds shown before the highlight of a song, so that its build-up is visible. */
const LEAD = 2;

/**
 * Returns the start of a film without a given start, seconds: shortly before the first chorus or drop, otherwise 0.
 * @param seconds length of the film; it ends with the song at the latest
 */
export function bestStart({ sections, event_lanes, duration }: LightingPlan, seconds: number): number {
  // Plans without named sections have section names on their cues.
  const named =
    sections ??
    Object.values(event_lanes)
      .flat()
      .map(({ section, time }) => ({ label: section, start: time }));
  const starts = named.filter(({ label }) => label === "chorus" || label === "drop").map(({ start }) => start);
  const best = starts.length > 0 ? Math.min(...starts) - LEAD : 0;
  return Math.max(0, Math.min(best, duration - seconds));
}
