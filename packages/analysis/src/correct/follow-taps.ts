import { lastAtOrBefore, LEAST_TAPS, nearestIndex, type Seconds } from "@followspot/contract";
import { fitLine } from "../basics/line.ts";
import { clamp, median } from "../basics/maths.ts";
import { intervalsOf } from "../pulse/tempo.ts";
import type { Grid } from "./corrected.ts";
import { isDanceable, layBars, spread } from "./edit-grid.ts";

/**
 * Tolerances within which taps at a simple multiple of the detected tempo follow the detected beats, which contain
 * every tempo change. Four taps are imprecise; more taps must match more closely.
 */
const TAP_DRIFT = { most: 0.06, least: 0.015 } as const;
const TAP_MULTIPLES = [1, 2, 1 / 2, 3 / 2, 2 / 3, 3, 1 / 3, 4, 1 / 4];
/** Smallest offset that taps can express, share of a beat; smaller offsets are ignored. */
const TAP_OFFSET = 0.15;

interface TapLine {
  readonly bpm: number;
  /** Time of a beat on the line, >= 0. */
  readonly anchor: Seconds;
}

/**
 * Builds the grid that a user tapped. Taps at a simple multiple of the detected beats select among them and move them
 * by a share of a beat; any other tempo yields a straight line through the whole song.
 */
export function followTaps(grid: Grid, taps: readonly Seconds[], duration: Seconds): Grid {
  const line = fitTaps(taps);
  if (!line || !isDanceable(line.bpm)) return grid;
  const factor = multipleOfHeard(grid, taps, line);
  const followed = factor === undefined ? straightGrid(grid, line, duration) : chooseBeats(grid, taps, factor);
  return { ...followed, isTempoDecided: true, isRemade: true };
}

/**
 * Fits a line through taps by least squares, counting omitted taps. Returns its tempo and one beat; undefined for fewer
 * than four taps.
 */
export function fitTaps(taps: readonly Seconds[]): TapLine | undefined {
  const times = [...new Set(taps)].sort((a, b) => a - b);
  if (times.length < LEAST_TAPS) return undefined;
  const intervals = intervalsOf(times);
  const period = median(intervals);
  if (!(period > 0)) return undefined;
  const beats = [0];
  for (const [i, interval] of intervals.entries()) beats.push(beats[i]! + Math.max(1, Math.round(interval / period)));
  const line = fitLine(beats, times);
  return line.slope > 0 ? { bpm: 60 / line.slope, anchor: Math.max(0, line.at(0)) } : undefined;
}

/** Returns how many times faster the taps are than the beats around them; undefined if by no simple factor. */
function multipleOfHeard(grid: Grid, taps: readonly Seconds[], { bpm }: TapLine): number | undefined {
  const reach = (2 * 60) / bpm;
  const [from, to] = [Math.min(...taps) - reach, Math.max(...taps) + reach];
  const around = grid.beats.filter((time) => time >= from && time <= to);
  const local = around.length >= 2 ? (60 * (around.length - 1)) / (around.at(-1)! - around[0]!) : 0;
  const slack = Math.max(TAP_DRIFT.least, (TAP_DRIFT.most * LEAST_TAPS) / taps.length);
  return TAP_MULTIPLES.find((multiple) => Math.abs(bpm / (local * multiple) - 1) < slack);
}

/** Returns beats of equal length through the song; the bar phase is that of the bar nearest to the taps. */
function straightGrid(grid: Grid, { bpm, anchor }: TapLine, duration: Seconds): Grid {
  const period = 60 / bpm;
  const first = anchor - Math.floor(anchor / period) * period;
  const beats: Seconds[] = [];
  for (let i = 0; first + i * period < duration; i++) beats.push(first + i * period);
  const bars = grid.downbeats.map((i) => grid.beats[i]!);
  const bar = bars[nearestIndex(bars, anchor)] ?? anchor;
  return layBars({ ...grid, beats, downbeats: [Math.max(0, nearestIndex(beats, bar))], isStraight: true });
}

/** Returns the detected beats, `factor` times as dense, shifted to the position of the taps between them. */
function chooseBeats(grid: Grid, taps: readonly Seconds[], factor: number): Grid {
  const anchor = grid.downbeats[0] ?? 0;
  // First as a share of a tapped beat, then of a detected one.
  const shift = circularMean(taps.map((tap) => (placeOf(grid.beats, tap) - anchor) * factor)) / factor;
  const isOnBeats = Math.abs(shift - Math.round(shift)) < TAP_OFFSET / Math.max(1, factor);
  return spread(grid, factor, anchor + (isOnBeats ? Math.round(shift) : shift));
}

/** Returns the fractional beat index at a time; the first and last beat length continue beyond the ends. */
function placeOf(beats: readonly Seconds[], time: Seconds): number {
  const i = clamp(lastAtOrBefore(beats, time), 0, beats.length - 2);
  return i + (time - beats[i]!) / (beats[i + 1]! - beats[i]!);
}

/** Returns the circular mean of shares of a beat, -0.5..0.5. */
function circularMean(shares: readonly number[]): number {
  const turn = 2 * Math.PI;
  const x = shares.reduce((sum, share) => sum + Math.cos(share * turn), 0);
  const y = shares.reduce((sum, share) => sum + Math.sin(share * turn), 0);
  return Math.atan2(y, x) / turn;
}
