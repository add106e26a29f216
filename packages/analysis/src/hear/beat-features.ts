import { mean } from "../basics/maths.ts";
import type { SongFeatures } from "./features.ts";
import type { Onsets } from "./onsets.ts";
import { CHROMA_BINS, HOP_RATE, SLOW_RATE } from "./rates.ts";

/** Features between beats; one row per beat. */
export interface BeatFeatures {
  readonly count: number;
  /** Columns of `timbre`. */
  readonly width: number;
  /** Mean log magnitude in 20 coarse bands from the beat to the next, row per beat: [count × width]. */
  readonly timbre: Float32Array;
  /** Chroma from the beat to the next, 12 values from C, sum 1 or 0: [count × 12]. */
  readonly chroma: Float32Array;
  /** Strongest onset within ±40 ms of the beat. */
  readonly mid: Float32Array;
  readonly high: Float32Array;
}

const COARSE = 4;

/**
 * Gathers the features between beats.
 *
 * @param log log spectrogram [hops × bands] of the same features
 * @param beats seconds, ascending
 */
export function gatherBeats(
  features: SongFeatures,
  log: Float32Array,
  onsets: Onsets,
  beats: readonly number[],
): BeatFeatures {
  const bands = features.bandHz.length;
  const width = Math.ceil(bands / COARSE);
  const timbre = new Float32Array(beats.length * width);
  const chroma = new Float32Array(beats.length * 12);
  beats.forEach((from, i) => {
    const to = beats[i + 1] ?? Math.min(features.seconds, from + (from - (beats[i - 1] ?? from - 0.5)));
    addTimbre(timbre, i, {
      log,
      bands,
      width,
      from: Math.round(from * HOP_RATE),
      to: Math.round(to * HOP_RATE),
    });
    chroma.set(chromaBetween(features, from, to), i * 12);
  });
  const at = (curve: Float32Array) => Float32Array.from(beats, (t) => strongest(curve, t * HOP_RATE));
  return {
    count: beats.length,
    width,
    timbre,
    chroma,
    mid: at(onsets.mid),
    high: at(onsets.high),
  };
}

/** Returns the chroma of a time range in semitones from C, sum 1; zeros for silence. */
export function chromaBetween(features: SongFeatures, from: number, to: number): Float32Array {
  const out = new Float32Array(12);
  const first = Math.floor(from * SLOW_RATE);
  const last = Math.min(features.chroma.length / CHROMA_BINS, Math.max(first + 1, Math.ceil(to * SLOW_RATE - 0.3)));
  for (let s = first; s < last; s++) {
    for (let c = 0; c < CHROMA_BINS; c++) {
      out[Math.round(c / 3) % 12]! += features.chroma[s * CHROMA_BINS + c]!;
    }
  }
  const sum = mean(out) * 12;
  return sum > 1e-9 ? out.map((v) => v / sum) : out;
}

interface Stretch {
  readonly log: Float32Array;
  readonly bands: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
}

function addTimbre(timbre: Float32Array, row: number, stretch: Stretch): void {
  const { log, bands, width, from, to } = stretch;
  const last = Math.min(Math.max(to, from + 1), log.length / bands);
  for (let h = from; h < last; h++) {
    for (let b = 0; b < bands; b++) timbre[row * width + ((b / COARSE) | 0)]! += log[h * bands + b]!;
  }
  const hops = Math.max(1, last - from) * COARSE;
  for (let w = 0; w < width; w++) timbre[row * width + w]! /= hops;
}

function strongest(curve: Float32Array, at: number): number {
  const centre = Math.round(at);
  let most = 0;
  for (let d = -4; d <= 4; d++) most = Math.max(most, curve[centre + d] ?? 0);
  return most;
}
