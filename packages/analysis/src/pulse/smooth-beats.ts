import { fitLineThrough } from "../basics/line.ts";
import { clamp } from "../basics/maths.ts";
import { LINE_BEATS } from "./tempo.ts";

/** Beats closer to a line than this (seconds, rms) were played to a click. */
const STABLE_RMS = 0.012;
/** A performer's change of tempo is not noise: a beat that would move farther (seconds) stays where it is. */
const MOST_MOVED = 0.025;

/**
 * Smooth tracked beats: each beat is moved onto the line through its eight neighbours, and onto
 * one line for the whole song when all lie within 12 ms rms of it.
 *
 * @param beats seconds, ascending
 * @returns beats in seconds, ascending, as many as given
 */
export function smoothBeats(beats: readonly number[]): { beats: number[]; stable: boolean } {
  if (beats.length < LINE_BEATS) return { beats: [...beats], stable: false };
  const whole = fitLineThrough(beats);
  const rms = Math.sqrt(beats.reduce((s, t, i) => s + (t - whole.at(i)) ** 2, 0) / beats.length);
  if (rms < STABLE_RMS) return { beats: beats.map((_, i) => Math.max(0, whole.at(i))), stable: true };
  const smoothed = beats.map((t, i) => {
    const from = clamp(i - LINE_BEATS / 2, 0, beats.length - LINE_BEATS);
    const moved = fitLineThrough(beats, from, from + LINE_BEATS).at(i);
    return Math.abs(moved - t) < MOST_MOVED ? Math.max(0, 0.5 * moved + 0.5 * t) : t;
  });
  return { beats: smoothed, stable: false };
}
