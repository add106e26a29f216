import { luminance } from "./color.ts";
import type { CompiledShow } from "./compiled-show.ts";
import { FlashLimiter, rednessOf } from "./flash-limiter.ts";
import { FLASHES_PER_SECOND } from "./limit-flashes.ts";
import { RIG_SIGNALS, RigLight, sideOf } from "./rig-light.ts";

/**
 * Watches what is really shown, tick by tick, and holds every lamp, each half of the stage and the rig within the flash limit where the plan
 * cannot: at seeks, takeovers, releases of the blackout, changes of the rig, and whatever is pressed at the desk.
 */
export class LiveLimiter {
  readonly #show: CompiledShow;
  readonly #limiter: FlashLimiter;
  readonly #rig: RigLight;
  readonly #sides: Uint8Array;
  /** Level of each head at the tick looked at, luminance and redness of its colour at full. */
  readonly #levels: Float64Array;
  readonly #luminances: Float64Array;
  readonly #reds: Float64Array;

  /**
   * @param windowTicks flashes are counted over so many ticks, at least a second. Not longer than the planner's window:
   *   a plan that kept the limit must pass unchanged.
   */
  constructor(show: CompiledShow, windowTicks: number) {
    const n = show.headCount;
    this.#show = show;
    this.#limiter = new FlashLimiter(n + RIG_SIGNALS, FLASHES_PER_SECOND[show.plan.safety.profile], windowTicks);
    this.#rig = new RigLight(n);
    this.#sides = Uint8Array.from({ length: n }, (_, h) => sideOf(show, h));
    this.#levels = new Float64Array(n);
    this.#luminances = new Float64Array(n);
    this.#reds = new Float64Array(n);
  }

  /** Take over the memory of a limiter of the same show. */
  copyFrom(other: LiveLimiter): void {
    this.#limiter.copyFrom(other.#limiter);
  }

  /** Remember what the lamps showed in another show: those of the same light and head, and the rig. */
  carry(other: LiveLimiter): void {
    const key = ({ lightIds, headNumbers }: CompiledShow, h: number) => `${lightIds[h]} ${headNumbers[h]}`;
    const before = new Map(Array.from(other.#levels, (_, h) => [key(other.#show, h), h] as const));
    for (let h = 0; h < this.#show.headCount; h++) {
      const from = before.get(key(this.#show, h));
      if (from !== undefined) this.#limiter.copySignal(other.#limiter, from, h);
    }
    for (let i = 0; i < RIG_SIGNALS; i++)
      this.#limiter.copySignal(other.#limiter, other.#show.headCount + i, this.#show.headCount + i);
  }

  /**
   * Dims the states of the show as they stand, everything included that shines at this tick, to what may be shown.
   * Returns whether anything had to be dimmed. Allocation free.
   */
  limit(tick: number): boolean {
    const show = this.#show;
    const n = show.headCount;
    const rig = this.#rig;
    rig.clear();
    let isLimited = false;
    for (let h = 0; h < n; h++) {
      const r = show.red[h]!;
      const g = show.green[h]!;
      const b = show.blue[h]!;
      const raw = show.level[h]!;
      const lum = luminance(r, g, b);
      const redness = rednessOf(r, g, b);
      const gain = raw > 0 ? this.#limiter.gain(h, raw, raw * lum, raw * redness, tick) : 1;
      if (gain < 1) {
        isLimited = true;
        show.level[h] = raw * gain;
      }
      this.#levels[h] = raw * gain;
      this.#luminances[h] = lum;
      this.#reds[h] = redness;
      rig.add(this.#sides[h]!, raw * gain, lum, redness);
    }
    rig.limit(this.#limiter, n, tick);
    for (let h = 0; h < n; h++) {
      const gain = rig.whole * rig.sides[this.#sides[h]!]!;
      const level = this.#levels[h]! * gain;
      if (gain < 1) {
        isLimited = true;
        show.level[h] = level;
      }
      this.#limiter.commit(h, level, level * this.#luminances[h]!, level * this.#reds[h]!, tick);
    }
    return isLimited;
  }

  /** A tick on which nothing is sent. */
  rest(tick: number): void {
    for (let i = 0; i < this.#show.headCount + RIG_SIGNALS; i++) this.#limiter.commit(i, 0, 0, 0, tick);
  }
}
