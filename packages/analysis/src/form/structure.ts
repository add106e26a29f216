import { clamp, deviation, mean, median } from "../basics/maths.ts";
import type { Bar } from "../pulse/bars.ts";

/** A run of bars that sounds like one thing: bars[from, to). */
export interface BarRange {
  readonly from: number;
  readonly to: number;
  /** How clearly the sound changes at its start, 0..1. */
  readonly confidence: number;
}

const LONGEST_BARS = 40;
/** What a voice that comes in weighs beside a change of timbre by one deviation. */
const PLAYER_WEIGHT = 1;
/** What boundaries cost, in units of the mean squared distance of a bar from the song's mean. */
export interface CutCosts {
  readonly boundary: number;
  /** Times that much for an inner section of two bars, and of one or three. */
  readonly shortEven: number;
  readonly shortOdd: number;
}
/** Sections as people name them: hardly ever shorter than four bars. */
const SECTIONS: CutCosts = { boundary: 1, shortEven: 3, shortOdd: 5 };
/** A fine cut that misses no change, where others then choose. */
export const ALL_CHANGES: CutCosts = { boundary: 0.8, shortEven: 2, shortOdd: 2.6 };
/** What the network's certainty of a boundary is worth, in the same units. */
const BOUNDARY_WEIGHT = 2;

/**
 * Cut the bars into sections: the cut with the least spread within sections, where every
 * boundary costs something and lengths of 4, 8, 12, 16 bars cost least. Solved exactly by
 * dynamic programming over bar lines.
 *
 * @param required bars where a section must begin
 * @returns ranges that cover all bars in order; one range for fewer than 4 bars
 */
export function findSections(bars: readonly Bar[], required: readonly number[] = [], costs = SECTIONS): BarRange[] {
  const n = bars.length;
  if (n < 4) return [{ from: 0, to: n, confidence: 0 }];
  const rows = describe(bars);
  const spread = spreadTable(rows);
  const unit = usualDistance(rows);
  const usual = mean(bars.map((bar) => bar.boundary));

  const cost = new Float64Array(n + 1).fill(Infinity);
  const from = new Int32Array(n + 1);
  cost[0] = 0;
  for (let end = 1; end <= n; end++) {
    const last = Math.max(0, ...required.filter((bar) => bar < end));
    for (let start = Math.max(last, end - LONGEST_BARS); start < end; start++) {
      const open = start === 0 || end === n;
      const value =
        cost[start]! +
        spread(start, end) / unit +
        costs.boundary * lengthCost(end - start, open, costs) -
        (start > 0 ? BOUNDARY_WEIGHT * (bars[start]!.boundary - usual) : 0);
      if (value < cost[end]!) {
        cost[end] = value;
        from[end] = start;
      }
    }
  }
  const starts: number[] = [];
  for (let end = n; end > 0; end = from[end]!) starts.unshift(from[end]!);
  return starts.map((start, i) => ({
    from: start,
    to: starts[i + 1] ?? n,
    confidence: contrastAt(spread, unit, start, n),
  }));
}

/** A bar only rings when its onsets do not reach this share of what the song's bars usually have. */
const PLAYED = 0.6;
/** Sound rings on for this long at most, seconds: what is quiet for longer is played. */
const LONGEST_RING = 4;

/** Bars to the last in which something is struck: what comes after it only rings. */
export function struckBars(bars: readonly Bar[]): number {
  const least = PLAYED * median(bars.map((bar) => bar.density));
  const end = bars.at(-1)?.end ?? 0;
  const rings = ({ start, density }: Bar) => density < least && end - start <= LONGEST_RING;
  return bars.findLastIndex((bar) => !rings(bar)) + 1;
}

/** Cut the bars where another engine says sections begin; `starts` ascend from 0. */
export function cutAt(bars: readonly Bar[], starts: readonly number[]): BarRange[] {
  const rows = describe(bars);
  const spread = spreadTable(rows);
  const unit = usualDistance(rows);
  return starts.map((from, i) => ({
    from,
    to: starts[i + 1] ?? bars.length,
    confidence: contrastAt(spread, unit, from, bars.length),
  }));
}

/** Lengths musicians write cost 1; the first and last section may have an odd bar. */
function lengthCost(bars: number, open: boolean, { shortEven, shortOdd }: CutCosts): number {
  if (bars % 8 === 0) return 1;
  if (bars % 4 === 0) return 1.1;
  if (open) return bars < 4 ? 1.6 : 1.2;
  if (bars % 2 === 0) return bars < 4 ? shortEven : 1.4;
  return bars < 4 ? shortOdd : 1.8;
}

/**
 * Mean squared distance of a bar from the middle of the song, without the tenth of the bars that
 * are farthest: a bare intro or a faded end must not hide what changes between verse and chorus.
 */
function usualDistance(rows: readonly Float32Array[]): number {
  const centre = Float32Array.from(rows[0]!, (_, w) => median(rows.map((row) => row[w]!)));
  const distances = rows.map((row) => row.reduce((sum, v, w) => sum + (v - centre[w]!) ** 2, 0)).sort((a, b) => a - b);
  return Math.max(mean(distances, 0, Math.ceil(0.9 * rows.length)), 1e-9);
}

type Spread = (from: number, to: number) => number;

/** Sum of squared distances from the mean of rows[from, to), from running sums. */
function spreadTable(rows: readonly Float32Array[]): Spread {
  const width = rows[0]!.length;
  const sums = [new Float64Array(width)];
  const squares = new Float64Array(rows.length + 1);
  rows.forEach((row, i) => {
    const next = Float64Array.from(sums[i]!, (v, w) => v + row[w]!);
    sums.push(next);
    squares[i + 1] = squares[i]! + row.reduce((s, v) => s + v * v, 0);
  });
  return (from, to) => {
    const a = sums[from]!;
    const b = sums[to]!;
    let norm = 0;
    for (let w = 0; w < width; w++) norm += (b[w]! - a[w]!) ** 2;
    return Math.max(0, squares[to]! - squares[from]! - norm / (to - from));
  };
}

function contrastAt(spread: Spread, unit: number, at: number, n: number): number {
  if (at === 0) return 1;
  const from = Math.max(0, at - 4);
  const to = Math.min(n, at + 4);
  const saved = spread(from, to) - spread(from, at) - spread(at, to);
  return clamp(saved / unit / 8);
}

/** Standardised row per bar: timbre and levels weigh most, harmony little (it moves within sections). */
function describe(bars: readonly Bar[]): Float32Array[] {
  const rows = bars.map((bar) => {
    const chroma = [...bar.chroma].map((v) => v * 1.2);
    return Float32Array.from([
      ...bar.timbre,
      ...chroma,
      ...Object.values(bar.players).map((v) => v * PLAYER_WEIGHT),
      bar.energy * 0.8,
      bar.bass * 0.8,
      bar.treble * 0.8,
      bar.density * 0.8,
    ]);
  });
  const width = rows[0]!.length;
  const timbreWidth = bars[0]!.timbre.length;
  const scale = Math.max(1e-6, deviation(rows.flatMap((r) => [...r.subarray(0, timbreWidth)])));
  for (const row of rows) for (let w = 0; w < width; w++) row[w]! /= scale;
  return rows;
}
