import { fftOf } from "../hear/fft.ts";

export const N_FFT = 2048;
export const HOP = N_FFT / 2;
export const BINS = N_FFT / 2 + 1;
/** The median over 17 hops (±186 ms at 44.1 kHz) keeps sustained sound, over 17 bins percussive sound. */
export const REACH = 8;
const SPAN = 2 * REACH + 1;

const VOICE_LOW_HZ = 180;
const VOICE_HIGH_HZ = 7000;

/** Share of each bin within the vocal range, 0..0.85. */
const VOICE_RANGE = Float64Array.from({ length: BINS }, (_, k) => {
  const hz = (k * 44_100) / N_FFT;
  return 0.85 / (1 + (VOICE_LOW_HZ / Math.max(1, hz)) ** 6) / (1 + (hz / VOICE_HIGH_HZ) ** 6);
});

/** Returns the vocal share of the sustained sound in a bin by its panning: singers are in the center. */
export function voiceShare(bin: number, centre: number): number {
  return VOICE_RANGE[bin]! * centre ** 2;
}

/** Sine window: its square overlaps to 1, so it is used for both analysis and synthesis. */
export const WINDOW = Float64Array.from({ length: N_FFT }, (_, n) => Math.sin((Math.PI * (n + 0.5)) / N_FFT));

/** One hop of a stereo song: both channels in one complex transform, left + i · right. */
export interface Spectrum {
  /** Real and imaginary parts, interleaved, [2 × N_FFT]. */
  readonly bins: Float32Array;
  /** Original samples of the hop, [HOP]. */
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** A spectrum with properties of each bin derived from the surrounding hops, [BINS] each. */
export interface HeardSpectrum extends Spectrum {
  /** Power of both channels. */
  readonly power: Float32Array;
  /** Percussive share of a bin, 0..1. */
  readonly percussive: Float32Array;
  /** (mid - side) / (mid + side) in power: 1 in the center, 0 for sound at a side or wide. */
  readonly centre: Float32Array;
}

/** Cuts a song into overlapping spectra, block by block. The first hop is before the song. */
export class SpectrumReader {
  readonly #fft = fftOf(N_FFT);
  readonly #left = new Float32Array(N_FFT);
  readonly #right = new Float32Array(N_FFT);
  #filled = HOP;

  /** @returns completed spectra, in order; NaN and infinite samples count as silence */
  push(left: Float32Array, right: Float32Array): Spectrum[] {
    const ready: Spectrum[] = [];
    for (let at = 0; at < left.length;) {
      const count = Math.min(N_FFT - this.#filled, left.length - at);
      for (let i = 0; i < count; i++) {
        const l = left[at + i]!;
        const r = right[at + i]!;
        this.#left[this.#filled + i] = l - l === 0 ? l : 0;
        this.#right[this.#filled + i] = r - r === 0 ? r : 0;
      }
      this.#filled += count;
      at += count;
      if (this.#filled < N_FFT) continue;
      ready.push(this.#read());
      this.#left.copyWithin(0, HOP);
      this.#right.copyWithin(0, HOP);
      this.#filled = HOP;
    }
    return ready;
  }

  #read(): Spectrum {
    const { values, transform } = this.#fft;
    for (let n = 0; n < N_FFT; n++) {
      values[2 * n] = this.#left[n]! * WINDOW[n]!;
      values[2 * n + 1] = this.#right[n]! * WINDOW[n]!;
    }
    transform();
    return { bins: values.slice(), left: this.#left.slice(0, HOP), right: this.#right.slice(0, HOP) };
  }
}

/**
 * Separates percussive, sustained and centered sound (D. Fitzgerald, "Harmonic/percussive separation using median
 * filtering", DAFx 2010). A spectrum is returned REACH hops later, when the following ones are known.
 */
export class SpectrumListener {
  /** Oldest first; silence before the song. */
  readonly #around = Array.from({ length: SPAN }, () => measured(silentSpectrum()));
  /** Magnitudes of each bin over the surrounding hops, ascending, [BINS × SPAN]. */
  readonly #sorted = new Float32Array(BINS * SPAN);
  #pushed = 0;

  push(spectrum: Spectrum): HeardSpectrum | undefined {
    const oldest = this.#around.shift()!;
    const newest = measured(spectrum);
    this.#around.push(newest);
    for (let k = 0; k < BINS; k++) exchange(this.#sorted, k * SPAN, oldest.magnitude[k]!, newest.magnitude[k]!);
    if (++this.#pushed <= REACH) return undefined;
    const { magnitude, ...now } = this.#around[REACH]!;
    return { ...now, percussive: percussiveShare(this.#sorted, magnitude) };
  }
}

interface MeasuredSpectrum extends Spectrum {
  readonly magnitude: Float32Array;
  readonly power: Float32Array;
  readonly centre: Float32Array;
}

function measured(spectrum: Spectrum): MeasuredSpectrum {
  const { bins } = spectrum;
  const magnitude = new Float32Array(BINS);
  const powers = new Float32Array(BINS);
  const centre = new Float32Array(BINS);
  for (let k = 0; k < BINS; k++) {
    const mirror = 2 * ((N_FFT - k) & (N_FFT - 1));
    const a = bins[2 * k]!,
      b = bins[2 * k + 1]!,
      c = bins[mirror]!,
      d = bins[mirror + 1]!;
    const power = (a * a + b * b + c * c + d * d) / 2;
    const cross = a * d + b * c;
    powers[k] = power;
    magnitude[k] = Math.sqrt(power);
    centre[k] = power > 1e-12 ? Math.max(0, cross / power) : 0;
  }
  return { ...spectrum, magnitude, power: powers, centre };
}

function silentSpectrum(): Spectrum {
  return { bins: new Float32Array(2 * N_FFT), left: new Float32Array(HOP), right: new Float32Array(HOP) };
}

/** Returns P² / (P² + H²) per bin. @param lasting magnitudes of each bin over time, ascending, [BINS × SPAN] */
function percussiveShare(lasting: Float32Array, magnitude: Float32Array): Float32Array {
  const share = new Float32Array(BINS);
  // The spectrum continues as its mirror image below bin 0 and as its last bin at the top.
  const at = (k: number) => magnitude[Math.min(BINS - 1, Math.abs(k))]!;
  const striking = Float32Array.from({ length: SPAN }, (_, i) => at(i - REACH)).sort();
  for (let k = 0; k < BINS; k++) {
    if (k > 0) exchange(striking, 0, at(k - 1 - REACH), at(k + REACH));
    const harmonic = lasting[k * SPAN + REACH]!;
    const struck = striking[REACH]!;
    const total = harmonic * harmonic + struck * struck;
    share[k] = total > 1e-20 ? (struck * struck) / total : 0;
  }
  return share;
}

/** Replaces one value by another among SPAN ascending ones that begin at `from`. */
function exchange(sorted: Float32Array, from: number, old: number, value: number): void {
  const last = from + SPAN - 1;
  let i = from;
  while (i < last && sorted[i] !== old) i++;
  for (; i < last && sorted[i + 1]! < value; i++) sorted[i] = sorted[i + 1]!;
  for (; i > from && sorted[i - 1]! > value; i--) sorted[i] = sorted[i - 1]!;
  sorted[i] = value;
}
