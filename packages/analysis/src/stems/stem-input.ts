import { BINS, type HeardSpectrum } from "./stem-spectrum.ts";

/** Bands of the mask network: single bins up to 237 Hz, then about 8 per octave. */
export const STEM_BANDS = 64;
const SINGLE_BINS = 11;

/** First bin of each band and the end of the last, [STEM_BANDS + 1]. */
export const BAND_EDGES = Uint16Array.from({ length: STEM_BANDS + 1 }, (_, b) =>
  b <= SINGLE_BINS
    ? b
    : Math.round(SINGLE_BINS * (BINS / SINGLE_BINS) ** ((b - SINGLE_BINS) / (STEM_BANDS - SINGLE_BINS))),
);

/** Components of a bin: percussive center, percussive sides, sustained center, sustained sides. */
export const COMPONENTS = 4;
/** Log power, then the shares of the first three components; the fourth is the remainder. */
export const STEM_CHANNELS = 4;

/** Power below which a band counts as silent; a full-scale sine has about 4e5. */
const FLOOR = 1e-3;

/** Writes the share of each component in a bin into `weights`; they add up to 1. */
export function componentsOf({ percussive, centre }: HeardSpectrum, bin: number, weights: Float64Array): void {
  const struck = percussive[bin]!;
  const middle = centre[bin]! ** 2;
  weights[0] = struck * middle;
  weights[1] = struck * (1 - middle);
  weights[2] = (1 - struck) * middle;
  weights[3] = (1 - struck) * (1 - middle);
}

/**
 * Computes the mask network's input of a hop. Training uses this same function.
 *
 * @returns shape [STEM_CHANNELS × STEM_BANDS]
 */
export function stemInput(heard: HeardSpectrum): Float32Array {
  const input = new Float32Array(STEM_CHANNELS * STEM_BANDS);
  const weights = new Float64Array(COMPONENTS);
  const powers = new Float64Array(COMPONENTS);
  for (let b = 0; b < STEM_BANDS; b++) {
    powers.fill(0);
    for (let k = BAND_EDGES[b]!; k < BAND_EDGES[b + 1]!; k++) {
      componentsOf(heard, k, weights);
      for (let c = 0; c < COMPONENTS; c++) powers[c]! += weights[c]! * heard.power[k]!;
    }
    const total = FLOOR + powers[0]! + powers[1]! + powers[2]! + powers[3]!;
    input[b] = Math.log(total);
    for (let c = 0; c < 3; c++) input[(c + 1) * STEM_BANDS + b] = powers[c]! / total;
  }
  return input;
}
