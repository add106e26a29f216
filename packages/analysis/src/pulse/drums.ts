import type { SongAnalysis } from "@followspot/contract";
import { round } from "../basics/maths.ts";
import { FRAME_RATE, type Activations } from "../network/activations.ts";

/** Network probability from which a peak is a hit. */
const LEAST = 0.5;
/** Shortest distance of two hits of one drum, seconds: a roll is reduced to its first strokes. */
const APART_SECONDS = 0.07;

/** Returns the times of kick, snare and hat strokes: the peaks of the network's activations. Seconds, ascending. */
export function findDrums(heard: Activations, seconds: number): NonNullable<SongAnalysis["drums"]> {
  const hits = (curve: Float32Array) => strokes(curve).filter((t) => t < seconds);
  return { kick: hits(heard.kick), snare: hits(heard.snare), hat: hits(heard.hat) };
}

function strokes(curve: Float32Array): number[] {
  const reach = Math.round(APART_SECONDS * FRAME_RATE);
  const found: number[] = [];
  for (let f = 0; f < curve.length; f++) {
    const value = curve[f]!;
    if (value < LEAST) continue;
    let isPeak = true;
    for (let k = Math.max(0, f - reach); isPeak && k <= Math.min(curve.length - 1, f + reach); k++)
      isPeak = curve[k]! < value || (curve[k] === value && k >= f);
    if (isPeak) found.push(round(Math.max(0, (f + summit(curve, f) + 0.25) / FRAME_RATE), 3));
  }
  return found;
}

/** Returns the offset of a peak between its neighbors, -0.5..0.5 frames: the vertex of a parabola through the three. */
function summit(curve: Float32Array, f: number): number {
  const [before, at, after] = [curve[f - 1] ?? 0, curve[f]!, curve[f + 1] ?? 0];
  const bend = before - 2 * at + after;
  return bend < 0 ? (0.5 * (before - after)) / bend : 0;
}
