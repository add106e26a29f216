import type { Rank } from "../song-form.ts";

/** Beats per movement cycle and share of travel, by rank. */
export const MOVE_BEATS: Record<Rank, number> = { 0: 0, 1: 32, 2: 16, 3: 8, 4: 4 };
export const MOVE_RANGE: Record<Rank, number> = { 0: 0.1, 1: 0.2, 2: 0.35, 3: 0.6, 4: 0.8 };
