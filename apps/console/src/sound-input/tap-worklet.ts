/*
 * Runs in the sound's own thread: hands on what comes in, in blocks, each with the frame it begins at. Nothing is decided
 * here, so that a page that is busy for a moment loses nothing.
 */
declare const currentFrame: number;
declare function registerProcessor(name: string, processor: new (options: TapOptions) => AudioWorkletProcessor): void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** 128 frames each: 1024 are 21 ms at 48 kHz. */
const USUAL_QUANTA = 8;

interface TapOptions {
  readonly processorOptions?: { readonly quanta?: number };
}

class Tap extends AudioWorkletProcessor {
  #channels: Float32Array[] = [];
  #filled = 0;
  #first = 0;
  readonly #quanta: number;

  constructor({ processorOptions }: TapOptions) {
    super();
    this.#quanta = processorOptions?.quanta ?? USUAL_QUANTA;
  }

  process([input = []]: Float32Array[][]): boolean {
    const length = input[0]?.length ?? 0;
    if (length === 0) return true; // nothing is plugged in
    if (this.#channels.length !== input.length || this.#channels[0]?.length !== length * this.#quanta) {
      this.#channels = input.map(() => new Float32Array(length * this.#quanta));
      this.#filled = 0;
    }
    if (this.#filled === 0) this.#first = currentFrame;
    for (const [i, sound] of input.entries()) this.#channels[i]!.set(sound, this.#filled);
    this.#filled += length;
    if (this.#filled < length * this.#quanta) return true;
    this.port.postMessage({ frame: this.#first, channels: this.#channels });
    this.#filled = 0;
    return true;
  }
}

registerProcessor("tap", Tap);
