/*
 * Photosensitive safety according to WCAG 2.3.1. A general flash is a pair of opposing changes of relative luminance of
 * at least 0.1 where the darker state is below 0.8; a red flash is the same with saturated red. At most three of
 * either are allowed in any second. A measurement may count a flash at the start of its rise, at the step of the rise
 * that becomes visible, or at the fall that completes the pair. Lowering light is always allowed without delay.
 *
 * Foretold light, that of an undisturbed plan, is counted by its rises: its flashes end when the plan ends them.
 * The end of any other flash is unknown and may be immediate. Such a flash lasts from the start of its rise to the end of
 * its fall. Another may begin only when the third last one has been over for a second.
 */

/** Rate of the grid on which limits are computed: DMX frames per second. */
export const GRID_HZ = 44;

const RISE = 0.095;
const DARK_ENOUGH = 0.8;
/** Change up to which a rise or fall may still continue. It is slightly larger than a change that counts. */
const SLOW_CHANGE = 0.15;
/**
 * Share of a counting rise that a limited hit may make. The margin is large enough that rounding to a byte never
 * creates a red flash.
 */
const HELD_SHARE = 0.95;
/** Ticks within which a further rise still belongs to the same climb: a tenth of a second. */
const SAME_CLIMB_TICKS = 5;
/** One second and two ticks, so that windows between grid points are covered too. */
const WINDOW_TICKS = GRID_HZ + 2;
const REMEMBERED = 4;
const NEVER = -1_000_000;

/** One step of a byte. */
const STEP = 1 / 255;
/** Rounding error of three channels, before and after a rise. */
const ROUNDING = 3 * STEP;
/**
 * Scale of redness. A WCAG red flash changes (R − G − B) × 320 by more than 20; scaled so that {@link RISE} is what
 * rounding leaves of it.
 */
export const RED_SCALE = RISE / (20 / 320 - ROUNDING);
/** Share of red above which it is saturated. WCAG: 0.8; as bytes it may be this. */
const SATURATED = 0.765;

/** Signals per head, in this order: level, luminance and redness. */
const KINDS = 3;
const RED = 2;

/** Start level above which a rise of signal i is no flash. A red rise always counts. */
const darkEnough = (i: number): number => (i % KINDS === RED ? Number.POSITIVE_INFINITY : DARK_ENOUGH);

/** Counts the flashes of signals, three per head and for the rig, tick by tick. */
export class FlashCounter {
  readonly #limit: number;
  readonly #windowTicks: number;
  /** The complete state in one buffer, because it is copied at every rendered tick. */
  readonly #memory: Uint8Array;
  readonly #isHigh: Uint8Array;
  readonly #extreme: Float64Array;
  /** Start of the latest rise of each signal, and the value before its latest fall. */
  readonly #low: Float64Array;
  readonly #peak: Float64Array;
  /** Ticks of the latest rises, newest first. */
  readonly #rises: Int32Array;
  /** Ticks at which the latest flashes ended, newest first. */
  readonly #ends: Int32Array;
  readonly #heldSince: Int32Array;
  /** For low signals: last value, tick at which the current climb began, and tick of the last increase. */
  readonly #last: Float64Array;
  readonly #climb: Int32Array;
  readonly #rose: Int32Array;
  /** Most rises of any signal within one second; counted up to {@link REMEMBERED}. */
  most = 0;
  /** Whether the light that is checked continues as planned. */
  isForetold = false;

  constructor(signals: number, flashesPerSecond: number, windowTicks: number) {
    this.#windowTicks = windowTicks;
    this.#limit = Math.min(REMEMBERED, Math.max(1, Math.floor(flashesPerSecond)));
    const numbers = signals * (4 * 8 + (2 * REMEMBERED + 3) * 4);
    this.#memory = new Uint8Array(numbers + signals);
    const { buffer } = this.#memory;
    this.#extreme = new Float64Array(buffer, 0, signals);
    this.#peak = new Float64Array(buffer, 8 * signals, signals);
    this.#last = new Float64Array(buffer, 16 * signals, signals);
    this.#low = new Float64Array(buffer, 24 * signals, signals);
    this.#rises = new Int32Array(buffer, 32 * signals, signals * REMEMBERED).fill(NEVER);
    this.#ends = new Int32Array(buffer, (32 + 4 * REMEMBERED) * signals, signals * REMEMBERED).fill(NEVER);
    const single = (32 + 8 * REMEMBERED) * signals;
    this.#heldSince = new Int32Array(buffer, single, signals).fill(NEVER);
    this.#climb = new Int32Array(buffer, single + 4 * signals, signals).fill(NEVER);
    this.#rose = new Int32Array(buffer, single + 8 * signals, signals).fill(NEVER);
    this.#isHigh = new Uint8Array(buffer, numbers, signals);
  }

  copyFrom(other: FlashCounter): void {
    this.#memory.set(other.#memory);
    this.most = other.most;
  }

  /** Copies the history of signal `from` of another counter to signal `to`. */
  copySignal(other: FlashCounter, from: number, to: number): void {
    this.#isHigh[to] = other.#isHigh[from]!;
    this.#extreme[to] = other.#extreme[from]!;
    this.#low[to] = other.#low[from]!;
    this.#peak[to] = other.#peak[from]!;
    this.#heldSince[to] = other.#heldSince[from]!;
    this.#last[to] = other.#last[from]!;
    this.#climb[to] = other.#climb[from]!;
    this.#rose[to] = other.#rose[from]!;
    for (let k = 0; k < REMEMBERED; k++) {
      this.#rises[to * REMEMBERED + k] = other.#rises[from * REMEMBERED + k]!;
      this.#ends[to * REMEMBERED + k] = other.#ends[from * REMEMBERED + k]!;
    }
  }

  /**
   * Quickly checks whether signals i to i + 2 may show all of their values: none of them rises and none is limited.
   * This runs for all heads of a rig at every tick, so it is kept short enough for V8 to inline. The bitwise AND of the
   * three ticks equals NEVER only if each is NEVER, because ticks are not negative.
   */
  areFree(i: number, a: number, b: number, c: number): boolean {
    const extremes = this.#extreme;
    const held = this.#heldSince;
    const rises = a - extremes[i]! >= RISE || b - extremes[i + 1]! >= RISE || c - extremes[i + 2]! >= RISE;
    return !rises && (held[i]! & held[i + 1]! & held[i + 2]!) === NEVER;
  }

  /** Returns how much of `value` signal i may show at this tick. */
  allowed(i: number, value: number, tick: number): number {
    if (this.#isHigh[i]) return value;
    const low = Math.min(this.#extreme[i]!, value);
    if (value - low < RISE || low >= darkEnough(i)) {
      this.#heldSince[i] = NEVER;
      return value;
    }
    const held = this.#heldSince[i]!;
    const isSpent = this.#isSpent(i, tick);
    // Once limited, a hit stays limited to its end, or for a second. Releasing it earlier would add an off-beat jump.
    if (!isSpent && (held === NEVER || tick - held > GRID_HZ)) {
      this.#heldSince[i] = NEVER;
      return value;
    }
    if (held === NEVER) this.#heldSince[i] = tick;
    return low + RISE * HELD_SHARE;
  }

  /** Whether signal i may not flash again yet. */
  #isSpent(i: number, tick: number): boolean {
    const at = i * REMEMBERED + this.#limit - 1;
    if (this.isForetold) return this.#rises[at]! > tick - this.#windowTicks;
    // A flash begins with its climb, however many ticks ago that was.
    const began = tick - this.#rose[i]! <= SAME_CLIMB_TICKS ? this.#climb[i]! : tick;
    return this.#ends[at]! > began - this.#windowTicks;
  }

  /** Records what the signals really showed, from signal `first` on. */
  commit(first: number, values: Float64Array, tick: number): void {
    const isHigh = this.#isHigh;
    const extremes = this.#extreme;
    const lows = this.#low;
    const peaks = this.#peak;
    for (let k = 0, i = first; k < values.length; k++, i++) {
      const value = values[k]!;
      const extreme = extremes[i]!;
      if (isHigh[i] === 1) {
        if (value > extreme) {
          // A slow rise counts as the flash at its last step, however large: a measurement from 0.1 on sees it there.
          if (extreme - lows[i]! < SLOW_CHANGE) this.#rises[i * REMEMBERED] = tick;
          extremes[i] = value;
        } else if (extreme - value >= RISE) this.#fall(i, value, tick);
        continue;
      }
      this.#climbTo(i, value, tick);
      if (value < extreme) {
        // Likewise, a slow fall ends with its last step: a measurement from 0.1 on, or below 0.8, sees it there.
        if (peaks[i]! - extreme < SLOW_CHANGE || extreme >= darkEnough(i) - ROUNDING) this.#ends[i * REMEMBERED] = tick;
        extremes[i] = value;
      } else if (value - extreme >= RISE && extreme < darkEnough(i)) this.#rise(i, value, tick);
    }
  }

  #climbTo(i: number, value: number, tick: number): void {
    const last = this.#last[i]!;
    if (value > last) {
      if (tick - this.#rose[i]! > SAME_CLIMB_TICKS) this.#climb[i] = tick;
      this.#rose[i] = tick;
    } else if (value < last - STEP) this.#rose[i] = NEVER;
    this.#last[i] = value;
  }

  #fall(i: number, value: number, tick: number): void {
    this.#isHigh[i] = 0;
    this.#peak[i] = this.#extreme[i]!;
    this.#extreme[i] = value;
    this.#last[i] = value;
    this.#rose[i] = NEVER;
    push(this.#ends, i, tick);
  }

  #rise(i: number, value: number, tick: number): void {
    this.#isHigh[i] = 1;
    this.#low[i] = this.#extreme[i]!;
    this.#extreme[i] = value;
    push(this.#rises, i, tick);
    let recent = 0;
    for (let k = 0; k < REMEMBERED; k++) if (this.#rises[i * REMEMBERED + k]! > tick - GRID_HZ) recent++;
    if (recent > this.most) this.most = recent;
  }
}

/** Inserts a tick as the newest of a signal and drops the oldest. */
function push(ticks: Int32Array, i: number, tick: number): void {
  const at = i * REMEMBERED;
  for (let k = REMEMBERED - 1; k > 0; k--) ticks[at + k] = ticks[at + k - 1]!;
  ticks[at] = tick;
}

/** Light of heads at one tick: level, and luminance and redness of their colors at full. */
export interface LampColumns {
  readonly levels: Float64Array;
  readonly luminances: Float64Array;
  readonly reds: Float64Array;
}

/** Limits level, luminance and redness of heads or of the rig together. */
export class FlashLimiter {
  readonly #flashes: FlashCounter;
  /** Scratch: values of all heads at one tick, and of one signal. */
  #values = new Float64Array(0);
  readonly #one = new Float64Array(KINDS);

  /** @param windowTicks length of the window in which flashes are counted, ticks; at least a second */
  constructor(signals: number, flashesPerSecond: number, windowTicks = WINDOW_TICKS) {
    this.#flashes = new FlashCounter(KINDS * signals, flashesPerSecond, windowTicks);
  }

  /** Copies the history of signal `from` of another limiter to signal `to`. */
  copySignal(other: FlashLimiter, from: number, to: number): void {
    for (let k = 0; k < KINDS; k++) this.#flashes.copySignal(other.#flashes, KINDS * from + k, KINDS * to + k);
  }

  /** Copies the history of another limiter with the same number of signals. */
  copyFrom(other: FlashLimiter): void {
    this.#flashes.copyFrom(other.#flashes);
  }

  /** Most flashes of any kind in any one second so far. */
  get most(): number {
    return this.#flashes.most;
  }

  /** Whether the light that is checked from now on continues as planned. */
  set isForetold(isForetold: boolean) {
    this.#flashes.isForetold = isForetold;
  }

  /** Returns the gain that keeps signal i within the limit, 0..1. */
  gain(i: number, level: number, luminance: number, red: number, tick: number): number {
    const flashes = this.#flashes;
    const at = KINDS * i;
    const a = share(flashes.allowed(at, level, tick), level);
    const b = share(flashes.allowed(at + 1, luminance, tick), luminance);
    const c = share(flashes.allowed(at + 2, red * RED_SCALE, tick), red * RED_SCALE);
    return Math.min(a, b, c);
  }

  commit(i: number, level: number, luminance: number, red: number, tick: number): void {
    this.#one[0] = level;
    this.#one[1] = luminance;
    this.#one[2] = red * RED_SCALE;
    this.#flashes.commit(KINDS * i, this.#one, tick);
  }

  /** Computes {@link gain} for the first signals that are lit. Returns whether any of them is limited. */
  gainAll(lamps: LampColumns, gains: Float64Array, tick: number): boolean {
    const { levels, luminances, reds } = lamps;
    const values = this.#valuesOf(lamps);
    const flashes = this.#flashes;
    let isHeld = false;
    for (let i = 0; i < levels.length; i++) {
      const at = KINDS * i;
      gains[i] = 1;
      if (flashes.areFree(at, values[at]!, values[at + 1]!, values[at + 2]!)) continue;
      const level = levels[i]!;
      if (level > 0) gains[i] = this.gain(i, level, level * luminances[i]!, level * reds[i]!, tick);
      isHeld ||= gains[i]! < 1;
    }
    return isHeld;
  }

  /**
   * Does {@link commit} for the first signals. @param isNew whether the values differ from those passed to {@link
   * gainAll}
   */
  commitAll(lamps: LampColumns, isNew: boolean, tick: number): void {
    this.#flashes.commit(0, isNew ? this.#valuesOf(lamps) : this.#values, tick);
  }

  #valuesOf({ levels, luminances, reds }: LampColumns): Float64Array {
    const n = KINDS * levels.length;
    if (this.#values.length !== n) this.#values = new Float64Array(n);
    const values = this.#values;
    for (let i = 0; i < levels.length; i++) {
      const level = levels[i]!;
      values[KINDS * i] = level;
      values[KINDS * i + 1] = level * luminances[i]!;
      values[KINDS * i + 2] = level * reds[i]! * RED_SCALE;
    }
    return values;
  }
}

function share(allowed: number, wanted: number): number {
  return wanted > allowed ? allowed / wanted : 1;
}

/** Returns the redness of linear light at full; 0 unless red is saturated. */
export function rednessOf(r: number, g: number, b: number): number {
  return r >= SATURATED * (r + g + b) ? Math.max(0, r - g - b) : 0;
}
