import type { SongAnalysis } from "@followspot/contract";
import { round } from "../basics/maths.ts";
import type { Onsets } from "../hear/onsets.ts";
import { HOP_RATE } from "../hear/rates.ts";
import type { Metre } from "./metre.ts";
import type { Pulse } from "./pulse.ts";
import { offbeatsOf, tempoCurve, tempoOf } from "./tempo.ts";

export interface BeatGrid {
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly offbeats: readonly number[];
  readonly tempo: number;
  readonly tempoCurve: SongAnalysis["grid"]["tempo_curve_bpm"];
  readonly stable: boolean;
  readonly swing: number;
  /** 0..1 */
  readonly confidence: number;
}

/** Computes everything that the contract contains about the grid. */
export function layGrid({ beats, stable, confidence }: Pulse, metre: Metre, onsets: Onsets): BeatGrid {
  const downbeats = metre.downbeats.map((i) => beats[i]!);
  const swing = swingOf(beats, onsets);
  const bars = beats.flatMap((_, i) => (i % metre.beatsPerBar === 0 ? [i] : []));
  return {
    beats,
    downbeats,
    offbeats: offbeatsOf(beats, swing),
    tempo: tempoOf(beats, stable),
    tempoCurve: tempoCurve(beats, bars),
    stable,
    swing,
    confidence,
  };
}

/**
 * Returns the position of the off-beat eighth within the beat: the strongest position of the summed high onsets between
 * 0.42 and 0.72 of the beat.
 *
 * @returns 0.5 straight .. 0.67 triplet; 0.5 if no position stands out
 */
function swingOf(beats: readonly number[], onsets: Onsets): number {
  const first = 42;
  const profile = new Float64Array(31);
  for (let i = 0; i + 1 < beats.length; i++) {
    const from = beats[i]! * HOP_RATE;
    const length = beats[i + 1]! * HOP_RATE - from;
    for (let p = 0; p < profile.length; p++) {
      const h = Math.round(from + (length * (first + p)) / 100);
      profile[p]! += (onsets.high[h] ?? 0) + (onsets.mid[h] ?? 0);
    }
  }
  const straight = Math.max(...profile.slice(4, 13));
  let best = 0;
  profile.forEach((v, p) => (best = v > profile[best]! ? p : best));
  const place = (first + best) / 100;
  return place >= 0.57 && place <= 0.71 && profile[best]! > 1.4 * straight ? round(place, 2) : 0.5;
}
