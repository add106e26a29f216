import type { CompiledShow } from "./compiled-show.ts";
import type { FlashLimiter } from "./flash-limiter.ts";

/** Number of limiter signals after those of the heads: left half of the stage, right half, whole rig. */
export const RIG_SIGNALS = 3;
const WHOLE = 2;

/** Returns the half of the stage of a head: 0 left or middle, 1 right. */
export function sideOf(show: CompiledShow, h: number): 0 | 1 {
  return show.places[h]! > 0.5 ? 1 : 0;
}

/**
 * Light of a rig and of its halves at one tick, and how much of it may be shown. Someone near the stage sees mostly one
 * half: even if the rig as a whole stays within the limit, one half may still flash.
 */
export class RigLight {
  /** Gains of both halves, and of the whole rig on top of them, 0..1. */
  readonly sides = new Float64Array(2).fill(1);
  whole = 1;
  readonly #lamps: number;
  /** Sums of level, luminance and redness over the fixtures, left then right. */
  readonly #sums = new Float64Array(6);

  constructor(lamps: number) {
    this.#lamps = Math.max(1, lamps);
  }

  clear(): void {
    this.#sums.fill(0);
  }

  /**
   * @param level level of one head, or the sum for several that shine alike; luminance and redness are those at full
   * level
   */
  add(side: number, level: number, luminance: number, redness: number): void {
    const at = 3 * side;
    this.#sums[at] = this.#sums[at]! + level;
    this.#sums[at + 1] = this.#sums[at + 1]! + level * luminance;
    this.#sums[at + 2] = this.#sums[at + 2]! + level * redness;
  }

  /**
   * Computes the gains for a tick and commits the result to the limiter. Allocation free. @param first signal index of
   * the left half
   */
  limit(limiter: FlashLimiter, first: number, tick: number): void {
    const { sides } = this;
    sides.fill(1);
    this.whole = 1;
    this.#limitSides(limiter, first, tick);
    const left = sides[0]! / this.#lamps;
    const right = sides[1]! / this.#lamps;
    const sums = this.#sums;
    const level = sums[0]! * left + sums[3]! * right;
    const light = sums[1]! * left + sums[4]! * right;
    const red = sums[2]! * left + sums[5]! * right;
    this.whole = limiter.gain(first + WHOLE, level, light, red, tick);
    // Dimming the rig can create a flash in a half that its own limit would have prevented.
    if (this.whole < 1) this.#limitSides(limiter, first, tick);
    this.#commit(limiter, first, tick);
  }

  #limitSides(limiter: FlashLimiter, first: number, tick: number): void {
    for (let side = 0; side < 2; side++) {
      const shown = this.#shareOf(side);
      const at = 3 * side;
      const sums = this.#sums;
      const gain = limiter.gain(first + side, sums[at]! * shown, sums[at + 1]! * shown, sums[at + 2]! * shown, tick);
      this.sides[side] = this.sides[side]! * gain;
    }
  }

  /** Share of its sum that a half shows, per fixture in it. */
  #shareOf(side: number): number {
    return (2 / this.#lamps) * this.sides[side]! * this.whole;
  }

  #commit(limiter: FlashLimiter, first: number, tick: number): void {
    const sums = this.#sums;
    const left = (this.sides[0]! * this.whole) / this.#lamps;
    const right = (this.sides[1]! * this.whole) / this.#lamps;
    limiter.commit(
      first + WHOLE,
      sums[0]! * left + sums[3]! * right,
      sums[1]! * left + sums[4]! * right,
      sums[2]! * left + sums[5]! * right,
      tick,
    );
    for (let side = 0; side < 2; side++) {
      const at = 3 * side;
      const shown = this.#shareOf(side);
      limiter.commit(first + side, sums[at]! * shown, sums[at + 1]! * shown, sums[at + 2]! * shown, tick);
    }
  }
}
