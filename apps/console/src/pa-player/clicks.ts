import { heardNow } from "../lib/heard-now.ts";
import { clickShape } from "../sound-input/click-shape.ts";
import type { DueClick } from "../sound-input/delay-meter.ts";

/** Interval between clicks, seconds. */
const EVERY = 1;
/** Time that clicks are scheduled ahead on the sound card's clock, seconds. */
const AHEAD = 0.5;
/** Click level: loud enough for a microphone in the hall, at most as loud as loud music. */
const LEVEL = 0.4;

/**
 * Number of clock readings whose median is used. The card's clock advances in steps, and is read late on a busy page.
 */
const READINGS = 40;

/** Plays one click per second, scheduled on the sound card's clock, for a microphone to record. */
export class Clicks {
  readonly #context: AudioContext;
  readonly #click: AudioBuffer;
  readonly #level: GainNode;
  readonly #beginsAt: number;
  #laidOut = 0;
  /** Latest readings of the page time at which second 0 of the card was audible, ms. */
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

  /**
   * Schedules the next click when it is near.
   * @returns the click, and when it is audible according to the card
   */
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
    // A click in the past is not reported.
    return dueMs > nowMs ? { number, dueMs } : undefined;
  }

  close(): void {
    this.#level.disconnect();
  }
}
