import type { EngineName } from "../basics/given.ts";
import { fftOf } from "../hear/fft.ts";
import type { MaskMaker, Masks } from "./mask-maker.ts";
import { STEM_NETWORK_VERSION, StemMasks } from "./stem-masks.ts";
import {
  BINS,
  HOP,
  N_FFT,
  REACH,
  SpectrumListener,
  SpectrumReader,
  WINDOW,
  type HeardSpectrum,
} from "./stem-spectrum.ts";

export const STEM_NAMES = ["drums", "bass", "vocals", "other"] as const;
export type StemName = (typeof STEM_NAMES)[number];
/** One block of two channels. */
export interface StereoBlock {
  readonly left: Float32Array;
  readonly right: Float32Array;
}
export type Stems = Record<StemName, StereoBlock>;

/** Raised whenever the same samples may yield different stems with the same weights. */
const STEMS_VERSION = "2.1.0";

/** Name of the default stem engine: the version of the code and of the weights. */
export const BUILT_IN_STEMS: EngineName = { engine: "followspot", version: `${STEMS_VERSION}+${STEM_NETWORK_VERSION}` };

/**
 * Splits a song at 44.1 kHz into drums, bass, vocals and other, block by block; memory does not grow with the song. A
 * small trained network extracts drums and bass; vocals are the center of the vocal range in the remainder, so expect
 * bleed. The four stems always add up to the mix.
 */
export class StemSeparator {
  readonly #masks: MaskMaker;
  readonly #reader = new SpectrumReader();
  readonly #listener = new SpectrumListener();
  readonly #backward = fftOf(N_FFT);
  readonly #overlap = { drums: silence(N_FFT), bass: silence(N_FFT), vocals: silence(N_FFT) };
  #received = 0;
  #emitted = 0;
  #skip = HOP;

  constructor(masks: MaskMaker = new StemMasks()) {
    this.#masks = masks;
  }

  /** Processes the next samples. @returns the completed blocks, in order; may be none */
  push(left: Float32Array, right: Float32Array): Stems[] {
    this.#received += left.length;
    return this.#feed(left, right);
  }

  /** Ends the song. @returns the last blocks; all blocks together have as many samples as were pushed */
  finish(): Stems[] {
    const rest = new Float32Array(N_FFT + HOP * (REACH + 1 + this.#masks.lookAhead));
    return this.#feed(rest, rest);
  }

  #feed(left: Float32Array, right: Float32Array): Stems[] {
    const ready: Stems[] = [];
    for (const spectrum of this.#reader.push(left, right)) {
      const heard = this.#listener.push(spectrum);
      const shared = heard && this.#masks.push(heard);
      const block = shared && this.#separate(shared.heard, shared.masks);
      if (block) ready.push(block);
    }
    return ready;
  }

  #separate(now: HeardSpectrum, masks: Masks): Stems | undefined {
    const drums = this.#render(now, masks.drums, this.#overlap.drums);
    const bass = this.#render(now, masks.bass, this.#overlap.bass);
    const vocals = this.#render(now, masks.vocals, this.#overlap.vocals);
    const other = {
      left: now.left.map((v, n) => v - drums.left[n]! - bass.left[n]! - vocals.left[n]!),
      right: now.right.map((v, n) => v - drums.right[n]! - bass.right[n]! - vocals.right[n]!),
    };
    // The first hop is before the song, and the last extends beyond it.
    const from = Math.min(HOP, this.#skip);
    this.#skip -= from;
    const to = Math.min(HOP, from + this.#received - this.#emitted);
    if (to <= from) return undefined;
    this.#emitted += to - from;
    const cut = ({ left, right }: StereoBlock) => ({
      left: left.subarray(from, to),
      right: right.subarray(from, to),
    });
    return { drums: cut(drums), bass: cut(bass), vocals: cut(vocals), other: cut(other) };
  }

  #render(now: HeardSpectrum, mask: Float64Array, overlap: { left: Float64Array; right: Float64Array }): StereoBlock {
    const { values, transform } = this.#backward;
    // An inverse transform is a forward one with real and imaginary parts exchanged.
    for (let k = 0; k < N_FFT; k++) {
      const gain = mask[k < BINS ? k : N_FFT - k]!;
      values[2 * k] = now.bins[2 * k + 1]! * gain;
      values[2 * k + 1] = now.bins[2 * k]! * gain;
    }
    transform();
    const left = new Float32Array(HOP);
    const right = new Float32Array(HOP);
    for (let n = 0; n < N_FFT; n++) {
      const w = WINDOW[n]! / N_FFT;
      overlap.left[n]! += values[2 * n + 1]! * w;
      overlap.right[n]! += values[2 * n]! * w;
    }
    left.set(overlap.left.subarray(0, HOP));
    right.set(overlap.right.subarray(0, HOP));
    overlap.left.copyWithin(0, HOP).fill(0, HOP);
    overlap.right.copyWithin(0, HOP).fill(0, HOP);
    return { left, right };
  }
}

function silence(samples: number): { left: Float64Array; right: Float64Array } {
  return { left: new Float64Array(samples), right: new Float64Array(samples) };
}
