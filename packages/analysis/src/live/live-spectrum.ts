import { createBands, type BandTable } from "../hear/bands.ts";
import { fftOf, hannWindow, type Fft } from "../hear/fft.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { GAIN, INPUT_BANDS, nearestBands, SILENT_RMS } from "../network/input.ts";

/** Length of the window used in training, seconds. */
const WINDOW_SECONDS = 2048 / 44_100;
/** Time constant of the level normalization, seconds. The level of the whole song is unknown until it ends. */
const LEVEL_SECONDS = 8;

/**
 * Computes the network's input hop by hop while audio comes in: the rows of `networkInput`, each normalized by the
 * level of the preceding seconds instead of the song's.
 */
export class LiveSpectrum {
  readonly #hop: number;
  readonly #fft: Fft;
  readonly #window: Float64Array;
  readonly #bands: BandTable;
  readonly #nearest: Int16Array;
  readonly #samples: Float32Array;
  readonly #magnitudes: Float64Array;
  readonly #row = new Float32Array(INPUT_BANDS);
  #filled: number;
  #square = 0;
  #weight = 0;

  /** @param sampleRate a multiple of HOP_RATE */
  constructor(sampleRate: number) {
    const size = 2 ** Math.round(Math.log2(WINDOW_SECONDS * sampleRate));
    this.#hop = sampleRate / HOP_RATE;
    this.#fft = fftOf(size);
    this.#window = hannWindow(size);
    this.#bands = createBands(sampleRate, size);
    this.#nearest = nearestBands(this.#bands.hz);
    this.#samples = new Float32Array(size);
    this.#magnitudes = new Float64Array(this.#bands.hz.length);
    this.#filled = size / 2; // half a window of silence, so that hop 0 is centered on 0 s
  }

  /** @param y finite samples @param onRow receives each new row; valid until it returns */
  push(y: Float32Array, onRow: (row: Float32Array) => void): void {
    for (let at = 0; at < y.length;) {
      const count = Math.min(this.#samples.length - this.#filled, y.length - at);
      this.#samples.set(y.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled < this.#samples.length) return;
      onRow(this.#readHop());
      this.#samples.copyWithin(0, this.#hop);
      this.#filled -= this.#hop;
    }
  }

  #readHop(): Float32Array {
    const { values, transform, size } = this.#fft;
    for (let n = 0; n < size; n++) {
      values[2 * n] = this.#samples[n]! * this.#window[n]!;
      values[2 * n + 1] = 0;
    }
    transform();
    const { of, count } = this.#bands;
    const power = this.#magnitudes.fill(0);
    for (let k = 1; k < of.length; k++) {
      const band = of[k]!;
      if (band >= 0) power[band]! += (values[2 * k]! ** 2 + values[2 * k + 1]! ** 2) / (size / 4) ** 2;
    }
    let square = 0;
    for (let b = 0; b < power.length; b++) {
      power[b] = Math.sqrt(power[b]! / count[b]!);
      square += power[b]! ** 2;
    }
    const keep = Math.exp(-1 / (HOP_RATE * LEVEL_SECONDS));
    this.#square = this.#square * keep + (square / power.length) * (1 - keep);
    this.#weight = this.#weight * keep + 1 - keep;
    const rms = Math.sqrt(this.#square / this.#weight);
    const scale = rms > SILENT_RMS ? GAIN / rms : 0;
    for (let b = 0; b < INPUT_BANDS; b++) {
      const from = this.#nearest[b]!;
      this.#row[b] = from >= 0 ? Math.log1p(scale * power[from]!) : 0;
    }
    return this.#row;
  }
}
