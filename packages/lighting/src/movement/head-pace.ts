import { panAt, tiltAt } from "../aims.ts";
import type { CompiledShow } from "../compiled-show.ts";

/** Steps longer than its speed by no more than this are rounding. */
const ROUNDING = 1.001;

/**
 * Keeps heads within their speed where no plan does: what is pressed at the desk, and two looks of live sound at once. A plan's
 * own ways are as fast as its heads already and pass unchanged; of a head that was led away from them it is held until
 * it is back.
 */
export class HeadPace {
  readonly #show: CompiledShow;
  readonly #tickHz: number;
  /** Where each head was sent last. */
  readonly #pan: Float64Array;
  readonly #tilt: Float64Array;
  /** 1 for heads that are led, or not back yet. */
  readonly #isAway: Uint8Array;
  #tick = Number.NEGATIVE_INFINITY;

  /** @param tickHz ticks a second */
  constructor(show: CompiledShow, tickHz: number) {
    this.#show = show;
    this.#tickHz = tickHz;
    this.#pan = new Float64Array(show.headCount);
    this.#tilt = new Float64Array(show.headCount);
    this.#isAway = new Uint8Array(show.headCount);
    this.rest();
  }

  /** Take over the memory of another of the same show. */
  copyFrom(other: HeadPace): void {
    this.#pan.set(other.#pan);
    this.#tilt.set(other.#tilt);
    this.#isAway.set(other.#isAway);
    this.#tick = other.#tick;
  }

  /** Remember where heads were in another show: those of the same light and head. */
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

  /** Nothing is sent: heads go home. */
  rest(): void {
    const { aims, headCount } = this.#show;
    for (let h = 0; h < headCount; h++) {
      this.#pan[h] = panAt(aims, h, 0);
      this.#tilt[h] = tiltAt(aims, h, 0);
    }
    this.#isAway.fill(0);
  }

  /** Holds the pan and tilt of a tick to what heads can do since the last one. @param isFree no plan leads them alone */
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

/** The value, or as far towards it as a step goes. */
function stepTo(from: number, to: number, step: number): number {
  if (Math.abs(to - from) <= step * ROUNDING) return to;
  return to > from ? from + step : from - step;
}
