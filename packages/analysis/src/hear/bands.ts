/** Edges of the five frequency bands of the show, Hz. */
const BAND_EDGES_HZ = [20, 150, 500, 2000, 6000, 16000] as const;

const BANDS_PER_OCTAVE = 10;
const LOWEST_BAND_HZ = 27;
const HIGHEST_BAND_HZ = 16000;

export interface BandTable {
  /** Lower edge per band, Hz. */
  readonly hz: Float64Array;
  /** Number of bins in each band. */
  readonly count: Float64Array;
  /** Bin → band, -1 outside. */
  readonly of: Int16Array;
  /** Bin → band of the show, -1 outside. */
  readonly show: Int8Array;
}

/** Creates bands of equal width on a log scale, at least one bin wide. @param nFft points of the transform */
export function createBands(sampleRate: number, nFft: number): BandTable {
  const binHz = sampleRate / nFft;
  const bins = nFft / 2;
  const of = new Int16Array(bins).fill(-1);
  const show = new Int8Array(bins).fill(-1);
  const hz: number[] = [];
  const count: number[] = [];
  let edge = 0;
  for (let k = 1; k < bins; k++) {
    const f = k * binHz;
    for (let s = 0; s < 5; s++) if (f >= BAND_EDGES_HZ[s]! && f < BAND_EDGES_HZ[s + 1]!) show[k] = s;
    if (f < LOWEST_BAND_HZ || f >= HIGHEST_BAND_HZ) continue;
    if (hz.length === 0 || f >= edge) {
      hz.push(f);
      count.push(0);
      edge = Math.max(f * 2 ** (1 / BANDS_PER_OCTAVE), f + binHz * 0.999);
    }
    of[k] = hz.length - 1;
    count[hz.length - 1]!++;
  }
  return {
    hz: Float64Array.from(hz),
    count: Float64Array.from(count),
    of,
    show,
  };
}
