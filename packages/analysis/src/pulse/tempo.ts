import type { SongAnalysis } from "@followspot/contract";
import { fitLineThrough } from "../basics/line.ts";
import { clamp, median, round } from "../basics/maths.ts";

/** Number of beats around a point of the tempo curve, and around a smoothed beat. */
export const LINE_BEATS = 8;
/** Change of tempo that adds a point to the curve, BPM. */
const CURVE_STEP = 0.3;

/**
 * Returns the tempo of beats in BPM: that of the line through all of them if they lie on one, otherwise from the median
 * interval.
 *
 * @returns 0 for fewer than two beats
 */
export function tempoOf(beats: readonly number[], isStraight: boolean): number {
  if (beats.length < 2) return 0;
  return 60 / (isStraight ? fitLineThrough(beats).slope : median(intervalsOf(beats)));
}

/** Returns the seconds from each beat to the next. */
export function intervalsOf(beats: readonly number[]): number[] {
  return beats.slice(1).map((time, i) => time - beats[i]!);
}

/**
 * Returns the tempo from the line through the eight beats around each index; points only at changes.
 *
 * @param places indices of beats, ascending
 */
export function tempoCurve(
  beats: readonly number[],
  places: readonly number[],
): SongAnalysis["grid"]["tempo_curve_bpm"] {
  if (beats.length < 4) return [];
  const points: { time: number; bpm: number }[] = [];
  const reach = Math.min(LINE_BEATS, beats.length);
  for (const i of places) {
    const from = Math.floor(clamp(i - reach / 2, 0, beats.length - reach));
    const bpm = round(60 / fitLineThrough(beats, from, from + reach).slope, 2);
    const last = points.at(-1);
    if (!last || Math.abs(last.bpm - bpm) >= CURVE_STEP) points.push({ time: round(beats[i]!, 4), bpm });
  }
  return points;
}

/** Returns the off-beats at their swung position: a share of the way from each beat to the next. */
export function offbeatsOf(beats: readonly number[], swing: number): number[] {
  return beats.slice(1).map((time, i) => beats[i]! + (time - beats[i]!) * swing);
}
