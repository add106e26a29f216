import type { CompiledShow } from "./compiled-show.ts";
import { LampLimiter } from "./lamp-limiter.ts";
import { FLASHES_PER_SECOND } from "./limit-flashes.ts";
import { RIG_SIGNALS } from "./rig-light.ts";

/**
 * Limits the flashes that are really shown, tick by tick: per head, per half of the stage and for the rig. It covers
 * what the limited plan cannot: seeks, failovers, releases of the blackout, changes of the rig, and all presses at the
 * desk.
 */
export class LiveLimiter {
  readonly #show: CompiledShow;
  readonly #lamps: LampLimiter;

  /**
   * @param windowTicks length of the window in which flashes are counted, ticks; at least a second. Not longer than the
   * window of the planner, because a plan that kept the limit must pass unchanged.
   */
  constructor(show: CompiledShow, windowTicks: number) {
    const n = show.headCount;
    const each = { firsts: Int32Array.from({ length: n }, (_, h) => h), counts: new Int32Array(n).fill(1) };
    this.#show = show;
    this.#lamps = new LampLimiter(show, each, FLASHES_PER_SECOND[show.plan.safety.profile], windowTicks);
  }

  /** Copies the history of a limiter of the same show. */
  copyFrom(other: LiveLimiter): void {
    this.#lamps.limiter.copyFrom(other.#lamps.limiter);
  }

  /** Copies the history of another show: that of the same heads of the same fixtures, and that of the rig. */
  carry(other: LiveLimiter): void {
    const key = ({ lightIds, headNumbers }: CompiledShow, h: number) => `${lightIds[h]} ${headNumbers[h]}`;
    const before = new Map(Array.from(other.#lamps.levels, (_, h) => [key(other.#show, h), h] as const));
    for (let h = 0; h < this.#show.headCount; h++) {
      const from = before.get(key(this.#show, h));
      if (from !== undefined) this.#lamps.limiter.copySignal(other.#lamps.limiter, from, h);
    }
    for (let i = 0; i < RIG_SIGNALS; i++)
      this.#lamps.limiter.copySignal(other.#lamps.limiter, other.#show.headCount + i, this.#show.headCount + i);
  }

  /**
   * Dims the current states of the show to the permitted light. The states must include everything that shines at this
   * tick. Returns whether anything had to be dimmed. Allocation free.
   *
   * @param isForetold whether the light comes from a plan that has played untouched for a while and will most likely
   * continue
   */
  limit(tick: number, isForetold = false): boolean {
    const { level: shown, headCount } = this.#show;
    const lamps = this.#lamps;
    const { levels, gains, rig } = lamps;
    lamps.limiter.isForetold = isForetold;
    const isLimited = lamps.limit(this.#show, tick);
    for (let h = 0; isLimited && h < headCount; h++) {
      const shared = rig.whole * lamps.sideGain(h);
      levels[h] = levels[h]! * shared;
      if (shared < 1 || gains[h]! < 1) shown[h] = levels[h]!;
    }
    lamps.commit(tick);
    return isLimited;
  }

  /** Records a tick on which nothing is sent. */
  rest(tick: number): void {
    for (let i = 0; i < this.#show.headCount + RIG_SIGNALS; i++) this.#lamps.limiter.commit(i, 0, 0, 0, tick);
  }
}
