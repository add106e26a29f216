import { clickDelay, judgeDelays, SEARCH_MS, wantsMore, type Measured } from "./estimate-delay.ts";
import { noSound, openSoundInput, type NoSound, type SoundInput } from "./sound-input.ts";
import { SoundMemory } from "./sound-memory.ts";

export type MeterView =
  | { readonly kind: "off" }
  | { readonly kind: "opening" }
  | { readonly kind: NoSound }
  | { readonly kind: "listening"; readonly done: number }
  | {
      readonly kind: "done";
      readonly result: Measured;
      /** What the input itself takes, ms, taken off already; undefined where the browser does not say. */
      readonly inputMs: number | undefined;
      /** What the browser believes sound takes on its way out, ms. */
      readonly outputMs: number;
    };

/** A click, and when it should be heard: ms of the page. */
export interface DueClick {
  readonly number: number;
  readonly dueMs: number;
}

const LOOK_MS = 25;

/**
 * Measures how late clicks are heard: against the clock of who plays them, so that what is measured is what that clock does
 * not know of. One measurement; open until it is done or closed.
 */
export class DelayMeter {
  readonly #nextClick: (nowMs: number) => DueClick | undefined;
  readonly #onView: (view: MeterView) => void;
  readonly #memory = new SoundMemory();
  readonly #delays: (number | undefined)[] = [];
  /** Number of a click → ms of the page at which it is due, as it was told last. */
  readonly #due = new Map<number, number>();
  #input: SoundInput | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  /** @param nextClick asked all the time while it listens; undefined while none is near */
  constructor(nextClick: (nowMs: number) => DueClick | undefined, onView: (view: MeterView) => void) {
    this.#nextClick = nextClick;
    this.#onView = onView;
  }

  async open(): Promise<void> {
    this.#onView({ kind: "opening" });
    try {
      const input = await openSoundInput({
        onSound: ({ channels, startMs }) => this.#memory.add(channels[0]!, startMs),
        onEnd: () => this.#end({ kind: "missing" }),
      });
      if (this.#isClosed) return input.close();
      this.#input = input;
      this.#timer = setInterval(() => this.#look(), LOOK_MS);
      this.#onView({ kind: "listening", done: 0 });
    } catch (error) {
      this.#end({ kind: noSound(error) });
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#input?.close();
    this.#input = undefined;
  }

  #look(): void {
    const now = performance.now();
    const input = this.#input;
    if (!input) return;
    // What is told nearest to a click counts: the clock of who plays follows its sound.
    const next = this.#nextClick(now);
    if (next) this.#due.set(next.number, next.dueMs);
    for (const [number, dueMs] of this.#due) {
      if (now < dueMs + SEARCH_MS.after + 150) continue;
      this.#due.delete(number);
      const sound = this.#memory.cut(dueMs - SEARCH_MS.before, SEARCH_MS.before + SEARCH_MS.after, input.sampleRate);
      // The first ones are heard while things settle.
      if (sound) this.#delays.push(clickDelay(sound, input.sampleRate));
      this.#onView({ kind: "listening", done: this.#delays.length });
    }
    if (wantsMore(this.#delays)) return;
    const inputMs = input.latencyMs;
    this.#end({ kind: "done", result: judgeDelays(this.#delays), inputMs, outputMs: input.outputLatencyMs() });
  }

  #end(view: MeterView): void {
    if (this.#isClosed) return;
    this.close();
    this.#onView(view);
  }
}
