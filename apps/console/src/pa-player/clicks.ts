import { heardNow } from "../lib/heard-now.ts";
import { clickShape } from "../sound-input/click-shape.ts";
import type { DueClick } from "../sound-input/delay-meter.ts";

/** Seconds from one click to the next. */
const EVERY = 1;
/** Laid out so long ahead on the card's clock. */
const AHEAD = 0.5;
/** Loud enough for a microphone in the hall, and no more than loud music. */
const LEVEL = 0.4;

/** Clicks out of the speakers, one a second, each by the clock of the sound card: to be heard back by a microphone. */
export class Clicks {
  readonly #context: AudioContext;
  readonly #click: AudioBuffer;
  readonly #level: GainNode;
  readonly #beginsAt: number;
  #laidOut = 0;

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
    if (this.#laidOut === 0) return undefined;
    const number = this.#laidOut - 1;
    const heardIn = this.#beginsAt + number * EVERY - heardNow(this.#context);
    // Once it is over, the clock has nothing more to say of it.
    return heardIn > 0 ? { number, dueMs: nowMs + heardIn * 1000 } : undefined;
  }

  close(): void {
    this.#level.disconnect();
  }
}
