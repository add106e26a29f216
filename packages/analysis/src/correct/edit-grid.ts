import type { Seconds, TempoFactor } from "@followspot/contract";
import { clamp } from "../basics/maths.ts";
import { tempoOf } from "../pulse/tempo.ts";
import type { Grid } from "./corrected.ts";

const FACTORS: Record<TempoFactor, number> = { "2": 2, "1/2": 1 / 2, "3/2": 3 / 2, "2/3": 2 / 3 };
/** Tempos outside this range are refused, BPM. */
const TEMPO = { least: 20, most: 400 } as const;
/** Tolerance at which positions computed from a factor count as whole beats. */
const ROUNDING = 1e-9;

export const isDanceable = (bpm: number): boolean => bpm >= TEMPO.least && bpm <= TEMPO.most;

/**
 * Changes the density of the beats by a factor, counted from the first downbeat; new beats are interpolated linearly.
 */
export function scaleTempo(grid: Grid, by: TempoFactor): Grid {
  const factor = FACTORS[by];
  if (grid.beats.length < 2 || !isDanceable(tempoOf(grid.beats, grid.isStraight) * factor)) return grid;
  return { ...spread(grid, factor, grid.downbeats[0] ?? 0), isTempoDecided: true, isRemade: true };
}

/** Sets the beats per bar, counted from the first downbeat. */
export function setBar(grid: Grid, beatsPerBar: number): Grid {
  return layBars({ ...grid, beatsPerBar, isBarDecided: true });
}

/** Shifts every bar by `by` beats; regular bars fill the gaps at the ends. */
export function shiftDownbeat(grid: Grid, by: number): Grid {
  const { beats, beatsPerBar } = grid;
  const bars = grid.downbeats.length > 0 ? grid.downbeats : [0];
  const moved = bars.map((i) => i + by);
  for (let i = moved[0]! - beatsPerBar; i >= 0; i -= beatsPerBar) moved.unshift(i);
  for (let i = moved.at(-1)! + beatsPerBar; i < beats.length; i += beatsPerBar) moved.push(i);
  return { ...grid, downbeats: moved.filter((i) => i >= 0 && i < beats.length), isBarDecided: true };
}

/**
 * Places beats at every 1/factor of the old index through `anchor`, a position in the old index that becomes a
 * downbeat.
 */
export function spread(grid: Grid, factor: number, anchor: number): Grid {
  const { beats, beatsPerBar } = grid;
  const last = beats.length - 1;
  const first = Math.ceil((0 - anchor) * factor - ROUNDING);
  const places: number[] = [];
  for (let j = first; anchor + j / factor <= last + ROUNDING; j++) places.push(anchor + j / factor);
  const phase = ((-first % beatsPerBar) + beatsPerBar) % beatsPerBar;
  return layBars({ ...grid, beats: places.map((place) => timeAt(beats, clamp(place, 0, last))), downbeats: [phase] });
}

/** Lays regular bars through the first downbeat, over all beats. */
export function layBars(grid: Grid): Grid {
  const { beats, beatsPerBar } = grid;
  const downbeats: number[] = [];
  for (let i = (grid.downbeats[0] ?? 0) % beatsPerBar; i < beats.length; i += beatsPerBar) downbeats.push(i);
  return { ...grid, downbeats };
}

/** Returns the time at a fractional beat index. */
function timeAt(beats: readonly Seconds[], place: number): Seconds {
  const i = Math.min(beats.length - 2, Math.max(0, Math.floor(place)));
  return beats[i]! + (place - i) * (beats[i + 1]! - beats[i]!);
}
