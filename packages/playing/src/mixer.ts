import { EDGE, fallen, risen } from "./levels.ts";

/** Audio of a song at the sample rate of the mixer. */
export interface Pcm {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** Time constant of volume changes, which prevents clicks, seconds. */
const GAIN_SECONDS = 0.02;

interface Fade {
  /** First frame and number of frames. */
  readonly from: number;
  readonly frames: number;
}

/** Mixes songs into blocks with sample accuracy, for machines without a browser's mixer. */
export class Mixer {
  readonly rate: number;
  readonly #voices = new Set<MixedSong>();
  #frame = 0;
  #gain = 1;
  #wantedGain = 1;
  #duck = { from: 1, to: 1, startFrame: 0, frames: 0 };

  constructor(rate: number) {
    this.rate = rate;
  }

  /** Number of mixed frames. Songs scheduled from this frame on start in time. */
  get frame(): number {
    return this.#frame;
  }

  setGain(gain: number): void {
    this.#wantedGain = gain;
  }

  /** Fades the whole output to a gain factor above 0, at a constant rate in dB. */
  duck(gain: number, fadeSeconds: number): void {
    this.#duck = {
      from: this.#duckAt(this.#frame),
      to: gain,
      startFrame: this.#frame,
      frames: fadeSeconds * this.rate,
    };
  }

  /**
   * @param at start time on the mixer's clock, seconds @param from song second at that time @param level gain factor
   */
  play(pcm: Pcm, start: { at: number; from: number; level: number; fadeSeconds: number }): MixedSong {
    const song = new MixedSong(this, pcm, start);
    this.#voices.add(song);
    return song;
  }

  /** Returns the next block, interleaved left and right. */
  mix(frames: number): Float32Array<ArrayBuffer> {
    const block = new Float32Array(2 * frames);
    for (const voice of this.#voices) if (!voice.add(block, this.#frame)) this.#voices.delete(voice);
    const step = 1 - Math.exp(-1 / (GAIN_SECONDS * this.rate));
    for (let i = 0; i < frames; i++) {
      this.#gain += (this.#wantedGain - this.#gain) * step;
      const gain = this.#gain * this.#duckAt(this.#frame + i);
      block[2 * i]! *= gain;
      block[2 * i + 1]! *= gain;
    }
    this.#frame += frames;
    return block;
  }

  #duckAt(frame: number): number {
    const { from, to, startFrame, frames } = this.#duck;
    const share = frames > 0 ? Math.min(1, (frame - startFrame) / frames) : 1;
    return share < 1 ? from * (to / from) ** share : to;
  }
}

/** One song in the mixer. Times are seconds of the mixer's clock. */
export class MixedSong {
  /** Time at which song second 0 sounds. */
  readonly zeroAt: number;
  readonly #mixer: Mixer;
  readonly #pcm: Pcm;
  readonly #level: number;
  readonly #zero: number;
  #rise: Fade | undefined;
  #fall: (Fade & { readonly top: number }) | undefined;
  readonly #begin: number;

  constructor(
    mixer: Mixer,
    pcm: Pcm,
    { at, from, level, fadeSeconds }: { at: number; from: number; level: number; fadeSeconds: number },
  ) {
    this.#mixer = mixer;
    this.#pcm = pcm;
    this.#level = level;
    this.zeroAt = at - from;
    this.#zero = Math.round(this.zeroAt * mixer.rate);
    this.#begin = Math.round(at * mixer.rate);
    this.#rise = { from: this.#begin, frames: Math.max(EDGE, fadeSeconds) * mixer.rate };
  }

  /** Fades to silence from `at` on, instead of anything scheduled after that. */
  end(at: number, fadeSeconds = 0): void {
    const from = Math.max(Math.round(at * this.#mixer.rate), this.#mixer.frame);
    this.#fall = { top: this.#fadeAt(from), from, frames: Math.max(EDGE, fadeSeconds) * this.#mixer.rate };
    // The level reached by the fade-in is in `top`.
    if (this.#rise && from < this.#rise.from + this.#rise.frames) this.#rise = undefined;
  }

  /** Cancels {@link end}: the song plays to its own end. */
  goOn(): void {
    this.#fall = undefined;
    this.#rise = undefined;
  }

  /** Adds this song to a block that starts at frame `first`. @returns false when the song is over */
  add(block: Float32Array, first: number): boolean {
    const { left, right } = this.#pcm;
    const frames = block.length / 2;
    const from = Math.max(0, this.#begin - first, this.#zero - first);
    const fallEnd = this.#fall ? this.#fall.from + this.#fall.frames : Number.POSITIVE_INFINITY;
    const end = Math.min(this.#zero + left.length, fallEnd);
    const to = Math.min(frames, Math.ceil(end - first));
    for (let i = from; i < to; i++) {
      const at = first + i - this.#zero;
      const gain = this.#level * this.#fadeAt(first + i);
      block[2 * i]! += left[at]! * gain;
      block[2 * i + 1]! += right[at]! * gain;
    }
    return first + frames < end;
  }

  #fadeAt(frame: number): number {
    const share = ({ from, frames }: Fade) => Math.min(1, Math.max(0, (frame - from) / frames));
    const up = this.#rise ? risen(share(this.#rise)) : 1;
    if (!this.#fall || frame < this.#fall.from) return up;
    return this.#fall.top * fallen(share(this.#fall));
  }
}
