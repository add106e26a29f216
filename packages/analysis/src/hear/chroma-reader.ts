import { mean } from "../basics/maths.ts";
import { fftOf, hannWindow } from "./fft.ts";
import { GrowingArray } from "./growing-array.ts";
import { CHROMA_BINS, SLOW_RATE } from "./rates.ts";

/** Chroma: 4096 points at a quarter of the sample rate, 371 ms at 44.1 kHz, 2.7 Hz apart. */
const CHROMA_FFT = 4096;
const CHROMA_DECIMATION = 4;
const CHROMA_LOW_HZ = 60;
const CHROMA_HIGH_HZ = 2600;
/** Range of bass lines. */
const BASS_LOW_HZ = 36;
const BASS_HIGH_HZ = 200;
/** Most samples per call of `push`. */
const LARGEST_BLOCK = 2048;
/** Samples of silence after which the last step is complete. */
export const CHROMA_TAIL = CHROMA_FFT * CHROMA_DECIMATION;

/** Decimates both channels and folds the peaks of a long spectrum into one octave. */
export class ChromaReader {
  readonly #taps = lowPass(48, 0.5 / CHROMA_DECIMATION);
  readonly #rate: number;
  readonly #slowHop: number;
  readonly #fft = fftOf(CHROMA_FFT);
  readonly #window = hannWindow(CHROMA_FFT);
  readonly #tailLeft = new Float32Array(48 + LARGEST_BLOCK);
  readonly #tailRight = new Float32Array(48 + LARGEST_BLOCK);
  readonly #ringLeft = new Float32Array(CHROMA_FFT);
  readonly #ringRight = new Float32Array(CHROMA_FFT);
  readonly #magnitude = new Float64Array(CHROMA_FFT / 2);
  readonly #out = new GrowingArray();
  readonly #bass = new GrowingArray();
  #phase = 0;
  #written = 0;
  #steps = 0;

  constructor(sampleRate: number) {
    this.#rate = sampleRate / CHROMA_DECIMATION;
    this.#slowHop = this.#rate / SLOW_RATE;
  }

  push(left: Float32Array, right: Float32Array, from: number, to: number): void {
    const taps = this.#taps;
    const reach = taps.length;
    const l = this.#tailLeft;
    const r = this.#tailRight;
    const count = to - from;
    l.set(left.subarray(from, to), reach);
    r.set(right.subarray(from, to), reach);
    for (; this.#phase < count; this.#phase += CHROMA_DECIMATION) {
      let a = 0;
      let b = 0;
      const base = this.#phase + 1;
      for (let n = 0; n < reach; n++) {
        const w = taps[n]!;
        a += w * l[base + n]!;
        b += w * r[base + n]!;
      }
      this.#ringLeft[this.#written % CHROMA_FFT] = a;
      this.#ringRight[this.#written % CHROMA_FFT] = b;
      this.#written++;
      if (this.#written >= (this.#steps + 0.5) * this.#slowHop + CHROMA_FFT / 2) this.#readStep();
    }
    this.#phase -= count;
    l.copyWithin(0, count, count + reach);
    r.copyWithin(0, count, count + reach);
  }

  /**
   * Returns the chroma of the first `steps` steps, of all notes and of the bass only; zeros after the end of the song.
   */
  take(steps: number): { chroma: Float32Array; bassChroma: Float32Array } {
    const rows = (values: GrowingArray) => {
      const out = new Float32Array(steps * CHROMA_BINS);
      out.set(values.take(Math.min(steps, this.#steps) * CHROMA_BINS));
      return out;
    };
    return { chroma: rows(this.#out), bassChroma: rows(this.#bass) };
  }

  #readStep(): void {
    const { values, transform } = this.#fft;
    const start = this.#written % CHROMA_FFT;
    for (let n = 0; n < CHROMA_FFT; n++) {
      const at = (start + n) & (CHROMA_FFT - 1);
      const w = this.#window[n]!;
      values[2 * n] = this.#ringLeft[at]! * w;
      values[2 * n + 1] = this.#ringRight[at]! * w;
    }
    transform();
    const m = this.#magnitude;
    const binHz = this.#rate / CHROMA_FFT;
    const from = Math.floor(BASS_LOW_HZ / binHz) - 1;
    const to = Math.min(CHROMA_FFT / 2 - 2, Math.ceil(CHROMA_HIGH_HZ / binHz));
    for (let k = from; k <= to + 1; k++) {
      const mirror = 2 * (CHROMA_FFT - k);
      const here = values[2 * k]! ** 2 + values[2 * k + 1]! ** 2;
      m[k] = Math.sqrt(here + values[mirror]! ** 2 + values[mirror + 1]! ** 2) / CHROMA_FFT;
    }
    const row = new Float64Array(CHROMA_BINS);
    const bass = new Float64Array(CHROMA_BINS);
    const floor = mean(m, from, to) * 1.5;
    for (let k = from + 1; k <= to; k++) {
      const c = m[k]!;
      if (c < floor || c < 1e-5 || c <= m[k - 1]! || c < m[k + 1]!) continue;
      const shift = (0.5 * (m[k - 1]! - m[k + 1]!)) / (m[k - 1]! - 2 * c + m[k + 1]! || 1);
      const hz = (k + shift) * binHz;
      if (hz >= CHROMA_LOW_HZ) fold(row, hz, Math.sqrt(c) * Math.min(1, 1000 / hz));
      if (hz <= BASS_HIGH_HZ) fold(bass, hz, Math.sqrt(c));
    }
    for (let b = 0; b < CHROMA_BINS; b++) {
      this.#out.push(row[b]!);
      this.#bass.push(bass[b]!);
    }
    this.#steps++;
  }
}

/** Adds a peak to the two adjacent bins of the octave. */
function fold(row: Float64Array, hz: number, weight: number): void {
  const place = CHROMA_BINS * Math.log2(hz / 261.6255653);
  const low = Math.floor(place);
  const share = place - low;
  row[wrap(low)]! += weight * (1 - share);
  row[wrap(low + 1)]! += weight * share;
}

function wrap(bin: number): number {
  return ((bin % CHROMA_BINS) + CHROMA_BINS) % CHROMA_BINS;
}

/** Returns a windowed-sinc low pass (Hamming), gain 1 at 0 Hz. @param cutoff share of the sample rate, 0..0.5 */
function lowPass(taps: number, cutoff: number): Float64Array {
  const centre = (taps - 1) / 2;
  const out = Float64Array.from({ length: taps }, (_, n) => {
    const x = n - centre;
    const sinc = x === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * x) / (Math.PI * x);
    return sinc * (0.54 - 0.46 * Math.cos((2 * Math.PI * n) / (taps - 1)));
  });
  const sum = out.reduce((a, b) => a + b, 0);
  return out.map((v) => v / sum);
}
