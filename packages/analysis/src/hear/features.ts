import { createBands, type BandTable } from "./bands.ts";
import { CHROMA_TAIL, ChromaReader } from "./chroma-reader.ts";
import { fftOf, hannWindow } from "./fft.ts";
import { GrowingArray } from "./growing-array.ts";
import { KWeighting } from "./loudness.ts";
import { HOP_RATE, SLOW_RATE } from "./rates.ts";

const N_FFT = 2048;

/** Input of all later stages: the song without its samples, about 35 kB per second. */
export interface SongFeatures {
  readonly seconds: number;
  readonly sampleRate: number;
  /** Number of samples that were not finite and were replaced by 0. */
  readonly brokenSamples: number;
  /** Share of samples at or beyond full scale, 0..1. */
  readonly clippedShare: number;
  /** Largest absolute sample, without removing an offset. */
  readonly peak: number;
  /** Whether both channels carry the same signal. */
  readonly mono: boolean;
  /** Number of hops of `S`, at HOP_RATE. Hop h is centered on h / HOP_RATE seconds. */
  readonly hops: number;
  /** Magnitude in logarithmic bands, row per hop: [hops × bands], a full-scale sine is near 1. */
  readonly S: Float32Array;
  /** Lower edge of each band, Hz. */
  readonly bandHz: Float64Array;
  /** Power in the five bands of the show at SLOW_RATE, row per step: [steps × 5]. */
  readonly bandPower: Float32Array;
  /** Sum over channels of the mean K-weighted square, per 1 / SLOW_RATE seconds. */
  readonly loudnessPower: Float32Array;
  /** Spectral peaks folded into an octave from C, at SLOW_RATE: [steps × CHROMA_BINS]. */
  readonly chroma: Float32Array;
  /** The same for peaks below 200 Hz only. */
  readonly bassChroma: Float32Array;
  /** Largest absolute sample per 50 ms. */
  readonly peaks: Float32Array;
}

/**
 * Reads a song block by block and stores only its features, which bounds the memory. One pass: a 2048-point transform
 * per 10 ms transforms left and right at once (left in the real part, right in the imaginary part). Power is summed
 * over channels, so a phase-inverted song is analyzed like any other.
 */
export class FeatureExtractor {
  readonly #sampleRate: number;
  readonly #hop: number;
  readonly #slowHop: number;
  readonly #fft = fftOf(N_FFT);
  readonly #window = hannWindow(N_FFT);
  readonly #bands: BandTable;
  readonly #left: Float32Array;
  readonly #right: Float32Array;
  #filled: number;
  #received = 0;
  #broken = 0;
  #clipped = 0;
  #peak = 0;
  #mono = true;
  readonly #weightLeft: KWeighting;
  readonly #weightRight: KWeighting;
  readonly #S = new GrowingArray();
  readonly #bandPower = new GrowingArray();
  readonly #loudness = new GrowingArray();
  readonly #peaks = new GrowingArray();
  readonly #slowSum = new Float64Array(5);
  #slowCount = 0;
  #loudnessSum = 0;
  #loudnessCount = 0;
  #peakMax = 0;
  #peakCount = 0;
  readonly #chroma: ChromaReader;
  readonly #row: Float64Array;

  /** @throws RangeError if the rate is below 8 kHz or not a whole number of samples per hop */
  constructor(sampleRate: number) {
    if (!(sampleRate >= 8000) || sampleRate % HOP_RATE !== 0) {
      throw new RangeError(`sample rate ${sampleRate} is not a multiple of ${HOP_RATE} from 8000 Hz`);
    }
    this.#sampleRate = sampleRate;
    this.#hop = sampleRate / HOP_RATE;
    this.#slowHop = sampleRate / SLOW_RATE;
    this.#bands = createBands(sampleRate, N_FFT);
    this.#row = new Float64Array(this.#bands.hz.length);
    this.#left = new Float32Array(N_FFT);
    this.#right = new Float32Array(N_FFT);
    this.#filled = N_FFT / 2; // half a window of silence, so that hop 0 is centered on 0 s
    this.#weightLeft = new KWeighting(sampleRate);
    this.#weightRight = new KWeighting(sampleRate);
    this.#chroma = new ChromaReader(sampleRate);
  }

  /**
   * Reads the next samples of both channels.
   *
   * @throws RangeError if the channels differ in length
   */
  push(left: Float32Array, right: Float32Array): void {
    if (left.length !== right.length) {
      throw new RangeError(`left has ${left.length} samples, right ${right.length}`);
    }
    this.#received += left.length;
    this.#feed(left, right);
  }

  /** Finishes the song and returns its features. The extractor cannot be used again. */
  finish(): SongFeatures {
    const hops = Math.ceil(this.#received / this.#hop);
    const steps = Math.ceil(this.#received / this.#slowHop);
    // Half a window of silence, so that the last hop is complete.
    const rest = new Float32Array(CHROMA_TAIL);
    const broken = this.#broken;
    this.#feed(rest, rest);
    const bandCount = this.#bands.hz.length;
    return {
      seconds: this.#received / this.#sampleRate,
      sampleRate: this.#sampleRate,
      brokenSamples: broken,
      clippedShare: this.#received === 0 ? 0 : this.#clipped / (2 * this.#received),
      peak: this.#peak,
      mono: this.#mono,
      hops,
      S: this.#S.take(hops * bandCount),
      bandHz: this.#bands.hz,
      bandPower: this.#bandPower.take(steps * 5),
      loudnessPower: this.#loudness.take(steps),
      ...this.#chroma.take(steps),
      peaks: this.#peaks.take(Math.ceil(this.#received / (this.#sampleRate / 20))),
    };
  }

  #feed(left: Float32Array, right: Float32Array): void {
    for (let at = 0; at < left.length;) {
      const count = Math.min(N_FFT - this.#filled, left.length - at);
      this.#copyClean(left, right, at, count);
      this.#measure(this.#filled, this.#filled + count);
      this.#chroma.push(this.#left, this.#right, this.#filled, this.#filled + count);
      this.#filled += count;
      at += count;
      if (this.#filled === N_FFT) this.#readHop();
    }
  }

  #copyClean(left: Float32Array, right: Float32Array, at: number, count: number): void {
    for (let i = 0; i < count; i++) {
      let l = left[at + i]!;
      let r = right[at + i]!;
      // Infinity and NaN are the only numbers whose difference from themselves is not 0.
      if (l - l !== 0) {
        l = 0;
        this.#broken++;
      }
      if (r - r !== 0) {
        r = 0;
        this.#broken++;
      }
      this.#left[this.#filled + i] = l;
      this.#right[this.#filled + i] = r;
      if (l !== r) this.#mono = false;
    }
  }

  #measure(from: number, to: number): void {
    for (let i = from; i < to;) {
      const slowLeft = this.#slowHop - this.#loudnessCount;
      const peakLeft = Math.round(this.#sampleRate / 20) - this.#peakCount;
      const end = Math.min(to, i + slowLeft, i + peakLeft);
      this.#loudnessSum += this.#weightLeft.energy(this.#left, i, end) + this.#weightRight.energy(this.#right, i, end);
      for (let n = i; n < end; n++) {
        const l = Math.abs(this.#left[n]!);
        const r = Math.abs(this.#right[n]!);
        const level = l > r ? l : r;
        if (level > this.#peakMax) this.#peakMax = level;
        if (l >= 0.9999) this.#clipped++;
        if (r >= 0.9999) this.#clipped++;
      }
      this.#loudnessCount += end - i;
      this.#peakCount += end - i;
      i = end;
      if (this.#peakMax > this.#peak) this.#peak = this.#peakMax;
      if (this.#loudnessCount === this.#slowHop) {
        this.#loudness.push(this.#loudnessSum / this.#slowHop);
        this.#loudnessSum = 0;
        this.#loudnessCount = 0;
      }
      if (this.#peakCount === Math.round(this.#sampleRate / 20)) {
        this.#peaks.push(this.#peakMax);
        this.#peakMax = 0;
        this.#peakCount = 0;
      }
    }
  }

  #readHop(): void {
    const { values, transform } = this.#fft;
    for (let n = 0; n < N_FFT; n++) {
      const w = this.#window[n]!;
      values[2 * n] = this.#left[n]! * w;
      values[2 * n + 1] = this.#right[n]! * w;
    }
    transform();
    this.#readBands();
    this.#left.copyWithin(0, this.#hop);
    this.#right.copyWithin(0, this.#hop);
    this.#filled -= this.#hop;
  }

  #readBands(): void {
    const { values } = this.#fft;
    const { of, count, show } = this.#bands;
    const row = this.#row.fill(0);
    const last = of.length;
    // |L|² + |R|² = (|Z[k]|² + |Z[N-k]|²) / 2; a full-scale sine through a Hann window peaks at N/4.
    const scale = 1 / (N_FFT / 4) ** 2 / 4;
    for (let k = 1; k < last; k++) {
      const mirror = 2 * (N_FFT - k);
      const a = values[2 * k]!,
        b = values[2 * k + 1]!,
        c = values[mirror]!,
        d = values[mirror + 1]!;
      const power = (a * a + b * b + c * c + d * d) * scale;
      const band = of[k]!;
      if (band >= 0) row[band]! += power;
      const s = show[k]!;
      if (s >= 0) this.#slowSum[s]! += power;
    }
    for (let b = 0; b < row.length; b++) this.#S.push(Math.sqrt(row[b]! / count[b]!));
    if (++this.#slowCount === HOP_RATE / SLOW_RATE) {
      for (let s = 0; s < 5; s++) this.#bandPower.push(this.#slowSum[s]! / this.#slowCount);
      this.#slowSum.fill(0);
      this.#slowCount = 0;
    }
  }
}
