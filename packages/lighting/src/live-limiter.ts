import { luminance } from "./color.ts";
import type { CompiledShow } from "./compiled-show.ts";
import { FlashLimiter, rednessOf } from "./flash-limiter.ts";
import { FLASHES_PER_SECOND } from "./limit-flashes.ts";

/**
 * Watches what is really shown, tick by tick, and holds every lamp and the rig within the flash limit where the plan
 * cannot: at seeks, takeovers, releases of the blackout, changes of the rig, and whatever is pressed at the desk.
 */
export class LiveLimiter {
  readonly #show: CompiledShow;
  readonly #limiter: FlashLimiter;
  /** Level, luminance and redness of each head at the tick looked at. */
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
    this.#limiter = new FlashLimiter(n + 1, FLASHES_PER_SECOND[show.plan.safety.profile], windowTicks);
    this.#levels = new Float64Array(n);
    this.#luminances = new Float64Array(n);
    this.#reds = new Float64Array(n);
  }

  /** Take over the memory of a limiter of the same show. */
  copyFrom(other: LiveLimiter): void {
    this.#limiter.copyFrom(other.#limiter);
  }

  /** Remember what the lamps showed in another show: those of the same light and head, and the rig as a whole. */
  carry(other: LiveLimiter): void {
    const key = ({ lightIds, headNumbers }: CompiledShow, h: number) => `${lightIds[h]} ${headNumbers[h]}`;
    const before = new Map(Array.from(other.#levels, (_, h) => [key(other.#show, h), h] as const));
    for (let h = 0; h < this.#show.headCount; h++) {
      const from = before.get(key(this.#show, h));
      if (from !== undefined) this.#limiter.copySignal(other.#limiter, from, h);
    }
    this.#limiter.copySignal(other.#limiter, other.#show.headCount, this.#show.headCount);
  }

  /**
   * Dims the states of the show as they stand, everything included that shines at this tick, to what may be shown.
   * Returns whether anything had to be dimmed. Allocation free.
   */
  limit(tick: number): boolean {
    const show = this.#show;
    const n = show.headCount;
    let level = 0;
    let light = 0;
    let red = 0;
    let isLimited = false;
    for (let h = 0; h < n; h++) {
      const r = show.red[h]!;
      const g = show.green[h]!;
      const b = show.blue[h]!;
      const raw = show.level[h]!;
      const lum = luminance(r, g, b);
      const redness = rednessOf(r, g, b);
      const gain = raw > 0 ? this.#limiter.gain(h, raw, raw * lum, raw * redness, tick) : 1;
      if (gain < 1) isLimited = true;
      if (gain < 1) show.level[h] = raw * gain;
      level += this.#levels[h] = raw * gain;
      light += this.#luminances[h] = raw * gain * lum;
      red += this.#reds[h] = raw * gain * redness;
    }
    const heads = Math.max(1, n);
    const rig = this.#limiter.gain(n, level / heads, light / heads, red / heads, tick);
    if (rig < 1) {
      isLimited = true;
      for (let h = 0; h < n; h++) show.level[h] = show.level[h]! * rig;
    }
    this.#limiter.commit(n, (level * rig) / heads, (light * rig) / heads, (red * rig) / heads, tick);
    for (let h = 0; h < n; h++) {
      this.#limiter.commit(h, this.#levels[h]! * rig, this.#luminances[h]! * rig, this.#reds[h]! * rig, tick);
    }
    return isLimited;
  }

  /** A tick on which nothing is sent. */
  rest(tick: number): void {
    for (let i = 0; i <= this.#show.headCount; i++) this.#limiter.commit(i, 0, 0, 0, tick);
  }
}
