import { fitLineThrough } from "../basics/line.ts";
import { clamp } from "../basics/maths.ts";
import { LINE_BEATS } from "./tempo.ts";

/** Deviation from a line up to which beats were played to a click, seconds rms. */
const STABLE_RMS = 0.012;
/** Largest smoothing of a beat, seconds. A performer's change of tempo is not noise. */
const MOST_MOVED = 0.025;

/**
 * Smooths tracked beats: each beat is moved onto the line through its eight neighbors, or onto one line for the whole
 * song if all beats lie within 12 ms rms of it.
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
