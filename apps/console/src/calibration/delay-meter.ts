import { noSound, openSoundInput, type NoSound, type SoundInput } from "../sound-input/sound-input.ts";
import type { SongPlayer } from "../visualizer/player/song-player.ts";
import { clickDelay, judgeDelays, SEARCH_MS, wantsMore, type Measured } from "./estimate-delay.ts";
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

const LOOK_MS = 25;

/**
 * Measures how late the clicks of a player are heard: against the clock by which the player leads the stage, so that what
 * is measured is what the offset has to be. One measurement; open until it is done or closed.
 */
export class DelayMeter {
  readonly #player: SongPlayer;
  readonly #onView: (view: MeterView) => void;
  readonly #memory = new SoundMemory();
  readonly #delays: (number | undefined)[] = [];
  /** Second of the song → ms of the page at which it is due, as it was told last. */
  readonly #due = new Map<number, number>();
  #input: SoundInput | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(player: SongPlayer, onView: (view: MeterView) => void) {
    this.#player = player;
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
    const time = this.#player.time();
    const input = this.#input;
    if (!input || !this.#player.state().isPlaying) return;
    // What is told nearest to a click counts: the player's clock follows its sound.
    const next = Math.ceil(time);
    if (next - time < 0.5) this.#due.set(next, now + (next - time) * 1000);
    for (const [second, dueMs] of this.#due) {
      if (now < dueMs + SEARCH_MS.after + 150) continue;
      this.#due.delete(second);
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
