import type { Rank } from "../song-form.ts";
import type { LookContext } from "./look-context.ts";

/** Perceptual levels per rank 0..4: the whole song's budget. */
export const WASH: Record<Rank, number> = { 0: 0.46, 1: 0.51, 2: 0.57, 3: 0.68, 4: 0.78 };
export const ACCENT: Record<Rank, number> = { 0: 0.3, 1: 0.42, 2: 0.58, 3: 0.85, 4: 1 };

/** A singer is never darker than this. */
export const SINGER_FLOOR = 0.42;
/** The light that is put on a singer. */
export const SINGER_LEVEL = 0.6;

/** Beats per movement cycle and share of travel, by rank. */
export const MOVE_BEATS: Record<Rank, number> = { 0: 0, 1: 32, 2: 16, 3: 8, 4: 4 };
export const MOVE_RANGE: Record<Rank, number> = { 0: 0.1, 1: 0.2, 2: 0.35, 3: 0.6, 4: 0.8 };

/** A wash level, 0..1, raised to what a singer needs. */
export function washLevel(context: LookContext, level: number): number {
  return Math.min(1, context.sings ? Math.max(SINGER_FLOOR, level) : level);
}
