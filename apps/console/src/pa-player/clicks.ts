import { heardNow } from "../lib/heard-now.ts";
import { clickShape } from "../sound-input/click-shape.ts";
import type { DueClick } from "../sound-input/delay-meter.ts";

/** Seconds from one click to the next. */
const EVERY = 1;
/** Laid out so long ahead on the card's clock. */
const AHEAD = 0.5;
/** Loud enough for a microphone in the hall, and no more than loud music. */
const LEVEL = 0.4;

/** The card's clock is told in steps, and late where the page is busy: what it means is the middle of so many readings. */
const READINGS = 40;

/** Clicks out of the speakers, one a second, each by the clock of the sound card: to be heard back by a microphone. */
export class Clicks {
  readonly #context: AudioContext;
  readonly #click: AudioBuffer;
  readonly #level: GainNode;
  readonly #beginsAt: number;
  #laidOut = 0;
  /** Ms of the page at which second 0 of the card was heard, as it was read last. */
  readonly #zeros: number[] = [];

  constructor(context: AudioContext) {
    this.#context = context;
    const shape = clickShape(context.sampleRate);
    this.#click = context.createBuffer(1, shape.length, context.sampleRate);
    this.#click.copyToChannel(shape, 0);
    this.#level = context.createGain();
    this.#level.gain.value = LEVEL;
    this.#level.connect(context.destination);
    this.#beginsAt = context.currentTime + EVERY;
  }

  /** Lays out the next click when it is near. @returns it, and when the card says that it is heard */
  next(nowMs: number): DueClick | undefined {
    const at = this.#beginsAt + this.#laidOut * EVERY;
    if (at - this.#context.currentTime < AHEAD) {
      const source = this.#context.createBufferSource();
      source.buffer = this.#click;
      source.connect(this.#level);
      source.start(at);
      this.#laidOut++;
    }
    this.#zeros.push(nowMs - heardNow(this.#context) * 1000);
    if (this.#zeros.length > READINGS) this.#zeros.shift();
    if (this.#laidOut === 0) return undefined;
    const number = this.#laidOut - 1;
    const zero = this.#zeros.toSorted((a, b) => a - b)[this.#zeros.length >> 1]!;
    const dueMs = zero + (this.#beginsAt + number * EVERY) * 1000;
    // Once it is over, there is nothing more to say of it.
    return dueMs > nowMs ? { number, dueMs } : undefined;
  }

  close(): void {
    this.#level.disconnect();
  }
}
