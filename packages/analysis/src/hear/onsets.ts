import { clamp, percentile, smooth } from "../basics/maths.ts";
import type { SongFeatures } from "./features.ts";
import { HOP_RATE } from "./rates.ts";

/** Onset curves at HOP_RATE, one value per hop, >= 0. */
export interface Onsets {
  /** All bands. */
  readonly all: Float32Array;
  /** Below 130 Hz: kick and bass. */
  readonly low: Float32Array;
  /** 130 Hz to 1.2 kHz. */
  readonly mid: Float32Array;
  /** Above 1.2 kHz: snare, hats, consonants. */
  readonly high: Float32Array;
}

const LAG = 2;
export const LOW_HZ = 130;
export const HIGH_HZ = 1200;

/**
 * Returns the onset strength per band group: spectral flux against the largest of three neighboring bands two hops
 * before, so that vibrato and glides are not detected as onsets. S. Böck, G. Widmer, "Maximum filter vibrato
 * suppression for onset detection", DAFx 2013.
 *
 * @returns curves of shape [hops], >= 0, the mean over the group's bands; zeros for silence
 */
export function onsetStrength(features: SongFeatures, log = logSpectrogram(features)): Onsets {
  const { hops, bandHz } = features;
  const bands = bandHz.length;
  const all = new Float32Array(hops);
  const low = new Float32Array(hops);
  const mid = new Float32Array(hops);
  const high = new Float32Array(hops);
  const lowEnd = bandHz.findIndex((hz) => hz >= LOW_HZ);
  const midEnd = bandHz.findIndex((hz) => hz >= HIGH_HZ);
  for (let h = LAG; h < hops; h++) {
    const now = h * bands;
    const then = (h - LAG) * bands;
    let sumLow = 0;
    let sumMid = 0;
    let sumHigh = 0;
    for (let b = 0; b < bands; b++) {
      const centre = log[then + b]!;
      const below = b > 0 ? log[then + b - 1]! : centre;
      const above = b < bands - 1 ? log[then + b + 1]! : centre;
      const before = Math.max(centre, below, above);
      const rise = log[now + b]! - before;
      if (rise <= 0) continue;
      if (b < lowEnd) sumLow += rise;
      else if (b < midEnd) sumMid += rise;
      else sumHigh += rise;
    }
    low[h] = sumLow / lowEnd;
    mid[h] = sumMid / (midEnd - lowEnd);
    high[h] = sumHigh / (bands - midEnd);
    all[h] = (sumLow + sumMid + sumHigh) / bands;
  }
  return { all, low, mid, high };
}

/**
 * Returns level-independent log magnitudes: log10(1 + 300 m / m95), where m95 is the level exceeded in 5 % of the song.
 *
 * @returns [hops × bands], >= 0
 */
export function logSpectrogram(features: SongFeatures): Float32Array {
  const { S } = features;
  const stride = Math.max(1, Math.floor(S.length / 200_000));
  const sample = new Float32Array(Math.floor(S.length / stride));
  for (let i = 0; i < sample.length; i++) sample[i] = S[i * stride]!;
  const level = Math.max(percentile(sample, 0.95), 1e-6);
  const gain = 300 / level;
  const log = new Float32Array(S.length);
  for (let i = 0; i < S.length; i++) log[i] = Math.log1p(gain * S[i]!) / Math.LN10;
  return log;
}

/**
 * Returns how much each hop resembles a beat, from onset strength only. Each group is normalized by its recent strength
 * (±3 s), then they are added, with the kick's group weighted most.
 *
 * @returns shape [hops], 0..1; zeros for silence
 */
export function beatActivation(onsets: Onsets): Float32Array {
  const low = level(onsets.low);
  const mid = level(onsets.mid);
  const high = level(onsets.high);
  const all = level(onsets.all);
  const sum = all.map((v, h) => 0.4 * v + 0.3 * low[h]! + 0.15 * mid[h]! + 0.15 * high[h]!);
  return sum.map((v) => clamp(v));
}

/** Subtracts the local mean (±0.3 s) and divides by the local strong onsets (±3 s). */
function level(onset: Float32Array): Float32Array {
  const local = smooth(onset, Math.round(0.3 * HOP_RATE));
  const raised = onset.map((v, h) => Math.max(0, v - local[h]!));
  const strong = localStrength(raised, 3 * HOP_RATE);
  const floor = 0.25 * Math.max(...sampled(strong));
  return raised.map((v, h) => v / Math.max(strong[h]!, floor, 1e-6));
}

/** Returns the mean of the squares over the mean: close to the height of the peaks, whatever their rate. */
function localStrength(values: Float32Array, reach: number): Float32Array {
  const first = smooth(values, reach);
  const second = smooth(
    values.map((v) => v * v),
    reach,
  );
  return first.map((v, h) => (v > 1e-9 ? (1.5 * second[h]!) / v : 0));
}

function sampled(values: Float32Array): number[] {
  const out = [0];
  for (let i = 0; i < values.length; i += HOP_RATE) out.push(values[i]!);
  return out;
}
