/*
 * Photosensitive safety after WCAG 2.3.1: a general flash is a pair of opposing changes of relative luminance of
 * at least 0.1 where the darker state is below 0.8; a red flash is the same with saturated red. At most three of
 * either in any second. We count rises (every pair has one), so lowering light can never break the limit and the
 * limits of single lamps and of the whole rig hold together.
 */

/** DMX frames per second of the grid limits are worked out on. */
export const GRID_HZ = 44;

const RISE = 0.095;
const DARK_ENOUGH = 0.8;
/** A rise that is not much larger yet is not over yet. */
const SLOW_RISE = 0.15;
/** Part of a rise that a held hit may make: far enough below it that no rounding to a byte makes a red flash of it. */
const HELD_SHARE = 0.95;
/** One second and two ticks, so that a window between grid points is covered too. */
const WINDOW_TICKS = GRID_HZ + 2;
const REMEMBERED = 4;
const NEVER = -1_000_000;

/** WCAG's red flash: (R − G − B) × 320 changes by more than 20; scaled so that {@link RISE} is its threshold. */
export const RED_SCALE = RISE / (20 / 320);

/** Counts rises of several signals (one per lamp, or one for the rig) tick by tick. */
export class RiseCounter {
  readonly #limit: number;
  readonly #windowTicks: number;
  readonly #isHigh: Uint8Array;
  readonly #extreme: Float64Array;
  /** Where the latest rise of each signal began. */
  readonly #low: Float64Array;
  readonly #rises: Int32Array;
  readonly #heldSince: Int32Array;
  /** Most rises any signal made within one second; counted up to {@link REMEMBERED}. */
  most = 0;

  constructor(signals: number, flashesPerSecond: number, windowTicks: number) {
    this.#windowTicks = windowTicks;
    this.#limit = Math.min(REMEMBERED, Math.max(1, Math.floor(flashesPerSecond)));
    this.#isHigh = new Uint8Array(signals);
    this.#extreme = new Float64Array(signals);
    this.#low = new Float64Array(signals);
    this.#rises = new Int32Array(signals * REMEMBERED).fill(NEVER);
    this.#heldSince = new Int32Array(signals).fill(NEVER);
  }

  copyFrom(other: RiseCounter): void {
    this.#isHigh.set(other.#isHigh);
    this.#extreme.set(other.#extreme);
    this.#low.set(other.#low);
    this.#rises.set(other.#rises);
    this.#heldSince.set(other.#heldSince);
    this.most = other.most;
  }

  /** Let signal `to` remember what signal `from` of another counter has shown. */
  copySignal(other: RiseCounter, from: number, to: number): void {
    this.#isHigh[to] = other.#isHigh[from]!;
    this.#extreme[to] = other.#extreme[from]!;
    this.#low[to] = other.#low[from]!;
    this.#heldSince[to] = other.#heldSince[from]!;
    for (let k = 0; k < REMEMBERED; k++) this.#rises[to * REMEMBERED + k] = other.#rises[from * REMEMBERED + k]!;
  }

  /** How much of `value` signal i may show at this tick. */
  allowed(i: number, value: number, tick: number): number {
    if (this.#isHigh[i]) return value;
    const low = Math.min(this.#extreme[i]!, value);
    if (value - low < RISE || low >= DARK_ENOUGH) {
      this.#heldSince[i] = NEVER;
      return value;
    }
    const held = this.#heldSince[i]!;
    const isSpent = this.#rises[i * REMEMBERED + this.#limit - 1]! > tick - this.#windowTicks;
    // Once held, a hit stays held to its own end, or for a second: releasing inside it would add an off-beat jump.
    if (!isSpent && (held === NEVER || tick - held > GRID_HZ)) {
      this.#heldSince[i] = NEVER;
      return value;
    }
    if (held === NEVER) this.#heldSince[i] = tick;
    return low + RISE * HELD_SHARE;
  }

  /** Tell what signal i really showed. */
  commit(i: number, value: number, tick: number): void {
    const extreme = this.#extreme[i]!;
    if (this.#isHigh[i]) {
      if (value > extreme) {
        this.#extreme[i] = value;
        // A slow rise is the flash of its last step: who counts from 0.1 sees it there.
        if (value - this.#low[i]! < SLOW_RISE) this.#rises[i * REMEMBERED] = tick;
      } else if (extreme - value >= RISE) {
        this.#isHigh[i] = 0;
        this.#extreme[i] = value;
      }
      return;
    }
    if (value < extreme) this.#extreme[i] = value;
    else if (value - extreme >= RISE && extreme < DARK_ENOUGH) {
      this.#isHigh[i] = 1;
      this.#low[i] = extreme;
      this.#extreme[i] = value;
      const at = i * REMEMBERED;
      for (let k = REMEMBERED - 1; k > 0; k--) this.#rises[at + k] = this.#rises[at + k - 1]!;
      this.#rises[at] = tick;
      let recent = 0;
      for (let k = 0; k < REMEMBERED; k++) if (this.#rises[at + k]! > tick - GRID_HZ) recent++;
      if (recent > this.most) this.most = recent;
    }
  }
}

/** Level, luminance and redness of lamps or of the rig, limited together. */
export class FlashLimiter {
  readonly #level: RiseCounter;
  readonly #luminance: RiseCounter;
  readonly #red: RiseCounter;

  /** @param windowTicks flashes are counted over so many ticks, at least a second */
  constructor(signals: number, flashesPerSecond: number, windowTicks = WINDOW_TICKS) {
    this.#level = new RiseCounter(signals, flashesPerSecond, windowTicks);
    this.#luminance = new RiseCounter(signals, flashesPerSecond, windowTicks);
    this.#red = new RiseCounter(signals, flashesPerSecond, windowTicks);
  }

  /** Let signal `to` remember what signal `from` of another limiter has shown. */
  copySignal(other: FlashLimiter, from: number, to: number): void {
    this.#level.copySignal(other.#level, from, to);
    this.#luminance.copySignal(other.#luminance, from, to);
    this.#red.copySignal(other.#red, from, to);
  }

  /** Take over another limiter's memory; both must have the same number of signals. */
  copyFrom(other: FlashLimiter): void {
    this.#level.copyFrom(other.#level);
    this.#luminance.copyFrom(other.#luminance);
    this.#red.copyFrom(other.#red);
  }

  /** Most flashes of any kind in any one second so far. */
  get most(): number {
    return Math.max(this.#level.most, this.#luminance.most, this.#red.most);
  }

  /** Gain 0..1 that keeps signal i within the limit. */
  gain(i: number, level: number, luminance: number, red: number, tick: number): number {
    const a = share(this.#level.allowed(i, level, tick), level);
    const b = share(this.#luminance.allowed(i, luminance, tick), luminance);
    const c = share(this.#red.allowed(i, red * RED_SCALE, tick), red * RED_SCALE);
    return Math.min(a, b, c);
  }

  commit(i: number, level: number, luminance: number, red: number, tick: number): void {
    this.#level.commit(i, level, tick);
    this.#luminance.commit(i, luminance, tick);
    this.#red.commit(i, red * RED_SCALE, tick);
  }
}

function share(allowed: number, wanted: number): number {
  return wanted > allowed ? allowed / wanted : 1;
}

/** Redness of linear light at full: 0 unless red is saturated (R / (R + G + B) >= 0.8). */
export function rednessOf(r: number, g: number, b: number): number {
  return r >= 0.8 * (r + g + b) ? Math.max(0, r - g - b) : 0;
}
