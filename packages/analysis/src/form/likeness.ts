import { mean } from "../basics/maths.ts";
import type { Bar } from "../pulse/bars.ts";
import type { BarRange } from "./structure.ts";

/** Similarity of each pair of sections of a song, 0..1; 1 with itself. */
export interface Likeness {
  /** Similarity of players, loudness and timbre. */
  readonly sound: readonly (readonly number[])[];
  /** Similarity of chords in the same order. */
  readonly chords: readonly (readonly number[])[];
}

const PLAYERS_WEIGHT = 1.5;

/**
 * Compares all sections of a song. Sounds are similar if they are closer than two sections of this song usually are;
 * chords, if they agree bar by bar.
 */
export function likeness(bars: readonly Bar[], ranges: readonly BarRange[]): Likeness {
  const rows = ranges.map(({ from, to }) => soundOf(bars.slice(from, to)));
  const distances = rows.map((a) => rows.map((b) => squaredDistance(a, b)));
  const usual = median(distances.flatMap((row, i) => row.slice(i + 1))) || 1;
  const centre = centreOf(bars.map((bar) => bar.chroma));
  const progressions = ranges.map(({ from, to }) => bars.slice(from, to).map((bar) => minus(bar.chroma, centre)));
  return {
    sound: distances.map((row) => row.map((d) => Math.exp((-d / usual) * 2))),
    chords: progressions.map((a) => progressions.map((b) => together(a, b))),
  };
}

function soundOf(bars: readonly Bar[]): number[] {
  const columns = bars.map((bar) => [
    ...bar.timbre,
    ...Object.values(bar.players).map((v) => PLAYERS_WEIGHT * v),
    bar.energy,
    bar.bass,
    bar.treble,
    bar.density,
  ]);
  return columns[0]!.map((_, i) => mean(columns.map((column) => column[i]!)));
}

/** Returns the correlation of two progressions, bar by bar, over the shorter one; 0 if they do not agree. */
function together(a: readonly number[][], b: readonly number[][]): number {
  const n = Math.min(a.length, b.length);
  let product = 0;
  let powerA = 0;
  let powerB = 0;
  for (let bar = 0; bar < n; bar++)
    for (let c = 0; c < 12; c++) {
      product += a[bar]![c]! * b[bar]![c]!;
      powerA += a[bar]![c]! ** 2;
      powerB += b[bar]![c]! ** 2;
    }
  return powerA * powerB > 0 ? Math.max(0, product / Math.sqrt(powerA * powerB)) : 0;
}

function centreOf(rows: readonly Float32Array[]): number[] {
  return Array.from(rows[0]!, (_, c) => mean(rows.map((row) => row[c]!)));
}

function minus(row: Float32Array, centre: readonly number[]): number[] {
  return Array.from(row, (v, c) => v - centre[c]!);
}

function squaredDistance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, v, i) => sum + (v - b[i]!) ** 2, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
