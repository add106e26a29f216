import { panAt, tiltAt } from "../aims.ts";
import type { CompiledShow } from "../compiled-show.ts";

/** Tolerance for rounding, as a factor on the longest step. */
const ROUNDING = 1.001;

/**
 * Limits heads to their speed where no plan does: for presses at the desk, and for two looks of live sound at once. The
 * moves of a plan already respect the speed and pass unchanged. A head that was moved away from its plan is limited
 * until it is back.
 */
export class HeadPace {
  readonly #show: CompiledShow;
  readonly #tickHz: number;
  /** Last pan and tilt that each head was sent to. */
  readonly #pan: Float64Array;
  readonly #tilt: Float64Array;
  /** 1 for heads that are away from their plan, or not back yet. */
  readonly #isAway: Uint8Array;
  #tick = Number.NEGATIVE_INFINITY;

  /** @param tickHz ticks per second */
  constructor(show: CompiledShow, tickHz: number) {
    this.#show = show;
    this.#tickHz = tickHz;
    this.#pan = new Float64Array(show.headCount);
    this.#tilt = new Float64Array(show.headCount);
    this.#isAway = new Uint8Array(show.headCount);
    this.rest();
  }

  /** Copies the state of another pace of the same show. */
  copyFrom(other: HeadPace): void {
    this.#pan.set(other.#pan);
    this.#tilt.set(other.#tilt);
    this.#isAway.set(other.#isAway);
    this.#tick = other.#tick;
  }

  /** Copies the positions from another show: those of the same heads of the same fixtures. */
  carry(other: HeadPace): void {
    const key = ({ lightIds, headNumbers }: CompiledShow, h: number) => `${lightIds[h]} ${headNumbers[h]}`;
    const before = new Map(Array.from(other.#pan, (_, h) => [key(other.#show, h), h] as const));
    for (let h = 0; h < this.#show.headCount; h++) {
      const from = before.get(key(this.#show, h));
      if (from === undefined) continue;
      this.#pan[h] = other.#pan[from]!;
      this.#tilt[h] = other.#tilt[from]!;
      this.#isAway[h] = other.#isAway[from]!;
    }
    this.#tick = other.#tick;
  }

  /** Resets heads to home, because nothing is sent. */
  rest(): void {
    const { aims, headCount } = this.#show;
    for (let h = 0; h < headCount; h++) {
      this.#pan[h] = panAt(aims, h, 0);
      this.#tilt[h] = tiltAt(aims, h, 0);
    }
    this.#isAway.fill(0);
  }

  /**
   * Limits pan and tilt of a tick to what heads can reach since the last one. @param isFree whether something other
   * than a plan moves them
   */
  pace(tick: number, isFree: boolean): void {
    const { movers } = this.#show.order;
    const seconds = Math.max(1, Number.isFinite(this.#tick) ? tick - this.#tick : 1) / this.#tickHz;
    this.#tick = tick;
    for (let i = 0; i < movers.length; i++) this.#paceHead(movers[i]!, seconds, isFree);
  }

  #paceHead(h: number, seconds: number, isFree: boolean): void {
    const { pan, tilt, aims } = this.#show;
    if (isFree || this.#isAway[h] === 1) {
      const across = stepTo(this.#pan[h]!, pan[h]!, aims.speeds[2 * h]! * seconds);
      const up = stepTo(this.#tilt[h]!, tilt[h]!, aims.speeds[2 * h + 1]! * seconds);
      this.#isAway[h] = isFree || across !== pan[h] || up !== tilt[h] ? 1 : 0;
      pan[h] = across;
      tilt[h] = up;
    }
    this.#pan[h] = pan[h]!;
    this.#tilt[h] = tilt[h]!;
  }
}

/** Returns the value, or as near to it as one step reaches. */
function stepTo(from: number, to: number, step: number): number {
  if (Math.abs(to - from) <= step * ROUNDING) return to;
  return to > from ? from + step : from - step;
}
