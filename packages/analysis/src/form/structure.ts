import { clamp, deviation, mean, median } from "../basics/maths.ts";
import type { Bar } from "../pulse/bars.ts";

/** A range of bars with one sound: bars[from, to). */
export interface BarRange {
  readonly from: number;
  readonly to: number;
  /** How clearly the sound changes at its start, 0..1. */
  readonly confidence: number;
}

const LONGEST_BARS = 40;
/** Weight of an entering instrument relative to a change of timbre by one deviation. */
const PLAYER_WEIGHT = 1;
/** Costs of boundaries, in units of the mean squared distance of a bar from the song's mean. */
export interface CutCosts {
  readonly boundary: number;
  /** Factor on that cost for an inner section of two bars, and of one or three. */
  readonly shortEven: number;
  readonly shortOdd: number;
}
/** Costs for sections as usually labeled: hardly ever shorter than four bars. */
const SECTIONS: CutCosts = { boundary: 1, shortEven: 3, shortOdd: 5 };
/** Costs for a fine cut that misses no change, from which later stages choose. */
export const ALL_CHANGES: CutCosts = { boundary: 0.8, shortEven: 2, shortOdd: 2.6 };
/** Weight of the network's boundary probability, in the same units. */
const BOUNDARY_WEIGHT = 2;

/**
 * Cuts the bars into sections: the cut with the least spread within sections, where every boundary has a cost, lowest
 * for lengths of 4, 8, 12 and 16 bars. Solved exactly by dynamic programming over bar lines.
 *
 * @param required bars in which a section must begin
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

/** Share of the usual onsets below which a bar only contains decaying sound. */
const PLAYED = 0.6;
/** Longest decay, seconds. Longer quiet bars are played. */
const LONGEST_RING = 4;

/** Returns the number of bars up to the last one with strokes; any later bars only decay. */
export function struckBars(bars: readonly Bar[]): number {
  const least = PLAYED * median(bars.map((bar) => bar.density));
  const end = bars.at(-1)?.end ?? 0;
  const rings = ({ start, density }: Bar) => density < least && end - start <= LONGEST_RING;
  return bars.findLastIndex((bar) => !rings(bar)) + 1;
}

/** Cuts the bars at the section starts of another engine; `starts` ascend from 0. */
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

/** Returns the cost of a section length. Common lengths cost 1; the first and last section may have an odd bar. */
function lengthCost(bars: number, open: boolean, { shortEven, shortOdd }: CutCosts): number {
  if (bars % 8 === 0) return 1;
  if (bars % 4 === 0) return 1.1;
  if (open) return bars < 4 ? 1.6 : 1.2;
  if (bars % 2 === 0) return bars < 4 ? shortEven : 1.4;
  return bars < 4 ? shortOdd : 1.8;
}

/**
 * Returns the mean squared distance of a bar from the median of the song, without the most distant tenth of the bars. A
 * sparse intro or a fade-out must not hide the changes between verse and chorus.
 */
function usualDistance(rows: readonly Float32Array[]): number {
  const centre = Float32Array.from(rows[0]!, (_, w) => median(rows.map((row) => row[w]!)));
  const distances = rows.map((row) => row.reduce((sum, v, w) => sum + (v - centre[w]!) ** 2, 0)).sort((a, b) => a - b);
  return Math.max(mean(distances, 0, Math.ceil(0.9 * rows.length)), 1e-9);
}

type Spread = (from: number, to: number) => number;

/** Returns the sum of squared distances from the mean of rows[from, to), from running sums. */
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

/**
 * Returns a standardized row per bar. Timbre and levels weigh most, harmony little, because it changes within sections.
 */
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
