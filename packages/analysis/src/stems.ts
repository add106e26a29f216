import { createFft } from "./fft.ts";

export const STEM_NAMES = ["drums", "bass", "vocals", "other"] as const;
export type StemName = (typeof STEM_NAMES)[number];
/** One block of two channels. */
export interface StereoBlock {
  readonly left: Float32Array;
  readonly right: Float32Array;
}
export type Stems = Record<StemName, StereoBlock>;

const N_FFT = 2048;
const HOP = N_FFT / 2;
const BINS = N_FFT / 2 + 1;
/** Median over 17 hops (±186 ms at 44.1 kHz) keeps what lasts, over 17 bins what strikes. */
const REACH = 8;
const SPAN = 2 * REACH + 1;
const BASS_HZ = 160;
const VOICE_LOW_HZ = 180;
const VOICE_HIGH_HZ = 7000;

/**
 * Split a song into drums, bass, vocals and other, block by block. Harmonic/percussive soft
 * masks (D. Fitzgerald, "Harmonic/percussive separation using median filtering", DAFx 2010);
 * of the harmonic part the lows are bass, the centre of the voice's range is vocals, the rest is
 * other. Rules, not a trained model: expect bleed. The four always add up to the mix.
 */
export class StemSeparator {
  readonly #forward = createFft(N_FFT);
  readonly #backward = createFft(N_FFT);
  readonly #window = Float64Array.from({ length: N_FFT }, (_, n) => Math.sin((Math.PI * (n + 0.5)) / N_FFT));
  readonly #bassShare: Float64Array;
  readonly #voiceShare: Float64Array;
  readonly #left = new Float32Array(N_FFT);
  readonly #right = new Float32Array(N_FFT);
  #filled = HOP;
  /** Spectra that wait for the hops after them, oldest first. */
  #waiting: Spectrum[] = [];
  #overlap: Record<"drums" | "bass" | "vocals", { left: Float64Array; right: Float64Array }>;
  #received = 0;
  #emitted = 0;
  #skip = HOP;

  constructor(sampleRate: number) {
    const hz = (k: number) => (k * sampleRate) / N_FFT;
    this.#bassShare = Float64Array.from({ length: BINS }, (_, k) => 1 / (1 + (hz(k) / BASS_HZ) ** 8));
    this.#voiceShare = Float64Array.from(
      { length: BINS },
      (_, k) => 1 / (1 + (VOICE_LOW_HZ / Math.max(1, hz(k))) ** 6) / (1 + (hz(k) / VOICE_HIGH_HZ) ** 6),
    );
    const empty = () => ({ left: new Float64Array(N_FFT), right: new Float64Array(N_FFT) });
    this.#overlap = { drums: empty(), bass: empty(), vocals: empty() };
  }

  /** Read the next samples. @returns the blocks that are ready, in order; may be none */
  push(left: Float32Array, right: Float32Array): Stems[] {
    this.#received += left.length;
    return this.#feed(left, right);
  }

  /** Close the song. @returns the last blocks; over all blocks as many samples as were pushed */
  finish(): Stems[] {
    const rest = new Float32Array(N_FFT + HOP * (REACH + 1));
    const blocks = this.#feed(rest, rest);
    return blocks;
  }

  #feed(left: Float32Array, right: Float32Array): Stems[] {
    const ready: Stems[] = [];
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
      const block = this.#hop();
      if (block) ready.push(block);
      this.#left.copyWithin(0, HOP);
      this.#right.copyWithin(0, HOP);
      this.#filled = N_FFT - HOP;
    }
    return ready;
  }

  #hop(): Stems | undefined {
    if (this.#waiting.length === 0) for (let i = 0; i < REACH; i++) this.#waiting.push(emptySpectrum());
    this.#waiting.push(this.#analyse());
    if (this.#waiting.length < SPAN) return undefined;
    const block = this.#synthesise();
    this.#waiting.shift();
    return block;
  }

  #analyse(): Spectrum {
    const { re, im, transform } = this.#forward;
    for (let n = 0; n < N_FFT; n++) {
      const w = this.#window[n]!;
      re[n] = this.#left[n]! * w;
      im[n] = this.#right[n]! * w;
    }
    transform();
    const magnitude = new Float32Array(BINS);
    const centre = new Float32Array(BINS);
    for (let k = 0; k < BINS; k++) {
      const j = (N_FFT - k) & (N_FFT - 1);
      const a = re[k]!,
        b = im[k]!,
        c = re[j]!,
        d = im[j]!;
      const power = (a * a + b * b + c * c + d * d) / 2;
      const cross = a * d + b * c;
      magnitude[k] = Math.sqrt(power);
      // (mid - side) / (mid + side), 1 in the centre, 0 or less at the sides
      centre[k] = power > 1e-12 ? Math.max(0, cross / power) : 0;
    }
    return {
      re: Float32Array.from(re),
      im: Float32Array.from(im),
      magnitude,
      centre,
      left: this.#left.slice(0, HOP),
      right: this.#right.slice(0, HOP),
    };
  }

  #synthesise(): Stems | undefined {
    const now = this.#waiting[REACH]!;
    const percussive = percussiveMask(this.#waiting, now);
    const masks = {
      drums: new Float64Array(BINS),
      bass: new Float64Array(BINS),
      vocals: new Float64Array(BINS),
    };
    for (let k = 0; k < BINS; k++) {
      const drums = percussive[k]!;
      const bass = (1 - drums) * this.#bassShare[k]!;
      masks.drums[k] = drums;
      masks.bass[k] = bass;
      masks.vocals[k] = 0.85 * (1 - drums - bass) * this.#voiceShare[k]! * now.centre[k]! ** 2;
    }
    const drums = this.#render(now, masks.drums, this.#overlap.drums);
    const bass = this.#render(now, masks.bass, this.#overlap.bass);
    const vocals = this.#render(now, masks.vocals, this.#overlap.vocals);
    const other = {
      left: now.left.map((v, n) => v - drums.left[n]! - bass.left[n]! - vocals.left[n]!),
      right: now.right.map((v, n) => v - drums.right[n]! - bass.right[n]! - vocals.right[n]!),
    };
    // The first hop lies before the song, and the last reaches past it.
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

  #render(now: Spectrum, mask: Float64Array, overlap: { left: Float64Array; right: Float64Array }): StereoBlock {
    const { re, im, transform } = this.#backward;
    // An inverse transform is a forward one with real and imaginary parts exchanged.
    for (let k = 0; k < N_FFT; k++) {
      const gain = mask[k < BINS ? k : N_FFT - k]!;
      re[k] = now.im[k]! * gain;
      im[k] = now.re[k]! * gain;
    }
    transform();
    const left = new Float32Array(HOP);
    const right = new Float32Array(HOP);
    for (let n = 0; n < N_FFT; n++) {
      const w = this.#window[n]! / N_FFT;
      overlap.left[n]! += im[n]! * w;
      overlap.right[n]! += re[n]! * w;
    }
    left.set(overlap.left.subarray(0, HOP));
    right.set(overlap.right.subarray(0, HOP));
    overlap.left.copyWithin(0, HOP).fill(0, HOP);
    overlap.right.copyWithin(0, HOP).fill(0, HOP);
    return { left, right };
  }
}

/** A whole song at once: four stems of the song's length that add up to it. */
export function separateStems(left: Float32Array, right: Float32Array, sampleRate: number): Stems {
  const separator = new StemSeparator(sampleRate);
  const blocks = [...separator.push(left, right), ...separator.finish()];
  const join = (name: StemName): StereoBlock => {
    const out = { left: new Float32Array(left.length), right: new Float32Array(left.length) };
    let at = 0;
    for (const block of blocks) {
      out.left.set(block[name].left, at);
      out.right.set(block[name].right, at);
      at += block[name].left.length;
    }
    return out;
  };
  return { drums: join("drums"), bass: join("bass"), vocals: join("vocals"), other: join("other") };
}

interface Spectrum {
  readonly re: Float32Array;
  readonly im: Float32Array;
  readonly magnitude: Float32Array;
  readonly centre: Float32Array;
  /** The song's own samples of this hop, for the remainder. */
  readonly left: Float32Array;
  readonly right: Float32Array;
}

function emptySpectrum(): Spectrum {
  return {
    re: new Float32Array(N_FFT),
    im: new Float32Array(N_FFT),
    magnitude: new Float32Array(BINS),
    centre: new Float32Array(BINS),
    left: new Float32Array(HOP),
    right: new Float32Array(HOP),
  };
}

/** P² / (P² + H²) per bin. */
function percussiveMask(around: readonly Spectrum[], now: Spectrum): Float64Array {
  const mask = new Float64Array(BINS);
  const sorted = new Float64Array(SPAN);
  for (let k = 0; k < BINS; k++) {
    let count = 0;
    for (let i = 0; i < SPAN; i++) count = insert(sorted, count, around[i]!.magnitude[k]!);
    const harmonic = sorted[REACH]!;
    count = 0;
    for (let d = -REACH; d <= REACH; d++) {
      count = insert(sorted, count, now.magnitude[Math.min(BINS - 1, Math.abs(k + d))]!);
    }
    const struck = sorted[REACH]!;
    const total = harmonic * harmonic + struck * struck;
    mask[k] = total > 1e-20 ? (struck * struck) / total : 0;
  }
  return mask;
}

function insert(sorted: Float64Array, count: number, value: number): number {
  let i = count;
  while (i > 0 && sorted[i - 1]! > value) {
    sorted[i] = sorted[i - 1]!;
    i--;
  }
  sorted[i] = value;
  return count + 1;
}
