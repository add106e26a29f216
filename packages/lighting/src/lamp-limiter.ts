import { luminance } from "./color.ts";
import type { CompiledShow } from "./compiled-show.ts";
import { FlashLimiter, rednessOf, type LampColumns } from "./flash-limiter.ts";
import { RIG_SIGNALS, RigLight, sideOf } from "./rig-light.ts";

/** Groups of heads that shine alike. The first head represents the group and counts once per member. */
interface LampsAlike {
  readonly firsts: Int32Array;
  readonly counts: Int32Array;
}

/**
 * Limits the flashes of heads, of the halves of the stage and of the rig at one tick. Plans and the frames that are
 * sent go through this same rule. The caller reports what was shown with {@link commit}.
 */
export class LampLimiter implements LampColumns {
  readonly limiter: FlashLimiter;
  readonly rig: RigLight;
  readonly levels: Float64Array;
  readonly luminances: Float64Array;
  readonly reds: Float64Array;
  /** Gain of each head from its own limit, 0..1. */
  readonly gains: Float64Array;
  readonly #lamps: LampsAlike;
  readonly #sides: Uint8Array;
  readonly #isSwitched: Uint8Array;
  #isLimited = false;

  /** @param windowTicks length of the window in which flashes are counted, ticks; by default two more than a second */
  constructor(show: CompiledShow, lamps: LampsAlike, flashesPerSecond: number, windowTicks?: number) {
    const n = lamps.firsts.length;
    this.limiter = new FlashLimiter(n + RIG_SIGNALS, flashesPerSecond, windowTicks);
    this.rig = new RigLight(show.headCount);
    this.levels = new Float64Array(n);
    this.luminances = new Float64Array(n);
    this.reds = new Float64Array(n);
    this.gains = new Float64Array(n);
    this.#lamps = lamps;
    this.#sides = Uint8Array.from(lamps.firsts, (h) => sideOf(show, h));
    this.#isSwitched = Uint8Array.from(lamps.firsts, (h) => show.isSwitched[h]!);
  }

  /**
   * Returns the gain that the head's half of the stage applies to head k, 0..1. A head that cannot dim is off while its
   * half or the whole rig is limited.
   */
  sideGain(k: number): number {
    const side = this.rig.sides[this.#sides[k]!]!;
    return this.#isSwitched[k] === 1 && side * this.rig.whole < 1 ? 0 : side;
  }

  /**
   * Limits the current states; `levels` then holds what each head may show by its own limit. Returns whether anything
   * has to be dimmed. Allocation free.
   */
  limit(show: CompiledShow, tick: number): boolean {
    this.#look(show);
    const { levels, luminances, reds, gains, limiter, rig } = this;
    const isHeld = limiter.gainAll(this, gains, tick);
    for (let k = 0; isHeld && k < levels.length; k++) {
      if (gains[k]! < 1 && this.#isSwitched[k] === 1) gains[k] = 0;
      levels[k] = levels[k]! * gains[k]!;
    }
    rig.clear();
    for (let k = 0; k < levels.length; k++) {
      rig.add(this.#sides[k]!, levels[k]! * this.#lamps.counts[k]!, luminances[k]!, reds[k]!);
    }
    rig.limit(limiter, levels.length, tick);
    this.#isLimited = isHeld || rig.whole < 1 || rig.sides[0]! < 1 || rig.sides[1]! < 1;
    return this.#isLimited;
  }

  #look({ level, red, green, blue }: CompiledShow): void {
    const { levels, luminances, reds } = this;
    const { firsts } = this.#lamps;
    for (let k = 0; k < firsts.length; k++) {
      const h = firsts[k]!;
      const r = red[h]!;
      const g = green[h]!;
      const b = blue[h]!;
      levels[k] = this.#isSwitched[k] === 1 && level[h]! > 0 ? 1 : level[h]!;
      luminances[k] = luminance(r, g, b);
      reds[k] = rednessOf(r, g, b);
    }
  }

  /** Records the current `levels` as shown at this tick. Unlimited light is recorded unchanged. */
  commit(tick: number): void {
    this.limiter.commitAll(this, this.#isLimited, tick);
  }
}
