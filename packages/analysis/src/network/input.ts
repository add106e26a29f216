import { createBands } from "../hear/bands.ts";
import type { SongFeatures } from "../hear/features.ts";

/** Lower edges of the bands used in training, Hz: those of a song at 44.1 kHz. */
export const INPUT_HZ = createBands(44_100, 2048).hz;
export const INPUT_BANDS = INPUT_HZ.length;

/** Magnitudes are compressed to log(1 + GAIN · S / rms of the song), so that level does not matter. */
export const GAIN = 300;
export const SILENT_RMS = 1e-7;

/**
 * Computes the network's input: the song's log-frequency magnitudes, compressed and level-normalized. Training uses
 * this same function.
 *
 * @returns shape [hops × INPUT_BANDS] at HOP_RATE, 0 and up; zeros for silence
 */
export function networkInput(features: SongFeatures): Float32Array {
  const { S, hops } = features;
  const bands = features.bandHz.length;
  const input = new Float32Array(hops * INPUT_BANDS);
  let square = 0;
  for (let i = 0; i < S.length; i++) square += S[i]! * S[i]!;
  const rms = Math.sqrt(square / Math.max(1, S.length));
  if (!(rms > SILENT_RMS)) return input;
  const scale = GAIN / rms;
  const from = nearestBands(features.bandHz);
  for (let h = 0; h < hops; h++) {
    for (let b = 0; b < INPUT_BANDS; b++) {
      const band = from[b]!;
      if (band >= 0) input[h * INPUT_BANDS + b] = Math.log1p(scale * S[h * bands + band]!);
    }
  }
  return input;
}

/** Returns the song's nearest band for each band of the network; -1 above the highest band of the song. */
export function nearestBands(bandHz: Float64Array): Int16Array {
  const highest = bandHz.at(-1) ?? 0;
  return Int16Array.from(INPUT_HZ, (hz) => {
    if (hz > highest * 1.1) return -1;
    let best = 0;
    bandHz.forEach((own, b) => (best = Math.abs(own - hz) < Math.abs(bandHz[best]! - hz) ? b : best));
    return best;
  });
}
