/** A frame sent to a rig of RGB fixtures. */
export interface SeenFrame {
  readonly ms: number;
  /** Linear light of each fixture, 0..1. */
  readonly lamps: readonly (readonly [red: number, green: number, blue: number])[];
}

/**
 * Most flashes in any second, of any fixture and of the rig, for each way of counting and for the one that finds most.
 */
export interface FlashCounts {
  readonly lamp: number;
  readonly rig: number;
  /** Counts a flash where its rise begins: the climb in which it becomes a flash, however many steps precede it. */
  readonly byStart: number;
  /**
   * Counts a flash where the second of two opposing changes is complete: the fall after a rise, or the rise after a
   * fall.
   */
  readonly byPair: number;
  /** Counts a flash whose two changes are both within the second: the lowest of the usual counts. */
  readonly whole: number;
}

const CHANGE = 0.1;
/** Slightly below the limit: the mean of fixtures that all show 0.8 may be a digit less. */
const DARK_ENOUGH = 0.8 - 1e-9;
/** WCAG's red flash: (R - G - B) x 320 changes by more than 20. */
const RED_CHANGE = 20 / 320;
/** How much a second may shrink, ms, because packets get their time from a busy thread. */
const JITTER_MS = 60;
/**
 * Share of red at which light becomes saturated, and at which it still is: with a single limit, rounding to bytes would
 * create flashes.
 */
const SATURATED = 0.8;
const STILL_SATURATED = 0.74;
/** Time within which a continued rise is one climb, ms. */
const SAME_CLIMB_MS = 100;

type Lamp = SeenFrame["lamps"][number];

/**
 * Counts flashes in sent frames according to WCAG 2.3.1: pairs of opposing changes of relative luminance by 0.1 whose
 * darker one is below 0.8, and of saturated red. Written independently of the limiter, to find its misses.
 *
 * @param jitterMs how much a second may have shrunk on its way here; 0 for ticks that were only rendered
 */
export function mostFlashes(frames: readonly SeenFrame[], jitterMs = JITTER_MS): FlashCounts {
  const times = frames.map(({ ms }) => ms);
  const second = 1000 - jitterMs;
  const count = (values: readonly number[], change: number, ceiling: number): Counts => {
    const { starts, rises, falls } = changesOf(times, values, change, ceiling);
    return {
      byStart: densest(starts, starts, second),
      byPair: Math.max(densest(rises, rises, second), densest(falls, falls, second)),
      whole: Math.max(densest(rises, falls, second), densest(falls, rises.slice(1), second)),
    };
  };
  const both = (luminance: readonly number[], red: readonly number[]) =>
    largest([count(luminance, CHANGE, DARK_ENOUGH), count(red, RED_CHANGE, Number.POSITIVE_INFINITY)]);
  const lights = Array.from({ length: frames[0]?.lamps.length ?? 0 }, (_, i) => frames.map(({ lamps }) => lamps[i]!));
  const luminances = lights.map((light) => light.map(luminanceOf));
  const reds = lights.map(redsOf);
  const mean = (signals: readonly (readonly number[])[]) =>
    times.map((_, k) => signals.reduce((sum, values) => sum + values[k]!, 0) / Math.max(1, signals.length));
  const lamp = largest(lights.map((_, i) => both(luminances[i]!, reds[i]!)));
  const rig = both(mean(luminances), mean(reds));
  const most = ({ byStart, byPair }: Counts) => Math.max(byStart, byPair);
  return { ...largest([lamp, rig]), lamp: most(lamp), rig: most(rig) };
}

type Counts = Pick<FlashCounts, "byStart" | "byPair" | "whole">;

function largest(counts: readonly Counts[]): Counts {
  const most = (of: (count: Counts) => number) => Math.max(0, ...counts.map(of));
  return {
    byStart: most(({ byStart }) => byStart),
    byPair: most(({ byPair }) => byPair),
    whole: most(({ whole }) => whole),
  };
}

/** Decodes RGB fixtures of three channels from address 1 on. */
export function framesOf(packets: readonly { ms: number; bytes: Buffer }[], lamps: number): SeenFrame[] {
  return packets.map(({ ms, bytes }) => frameOf(ms, bytes.subarray(18), lamps));
}

/** Decodes RGB fixtures from the slots of a universe. */
export function frameOf(ms: number, slots: Uint8Array, lamps: number): SeenFrame {
  const light = (slot: number) => slots[slot]! / 255;
  return {
    ms,
    lamps: Array.from({ length: lamps }, (_, i) => [light(3 * i), light(3 * i + 1), light(3 * i + 2)] as const),
  };
}

function luminanceOf([r, g, b]: Lamp): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * Returns the saturated red of each frame. Saturated light counts as saturated until it is clearly not, because bytes
 * are rounded.
 */
function redsOf(light: readonly Lamp[]): number[] {
  let isSaturated = false;
  return light.map(([r, g, b]) => {
    const share = r / Math.max(1e-9, r + g + b);
    isSaturated = share >= (isSaturated ? STILL_SATURATED : SATURATED);
    return isSaturated ? Math.max(0, r - g - b) : 0;
  });
}

interface Changes {
  /** Index where each rise begins, where it is complete, and where the fall after it is. */
  readonly starts: number[];
  readonly rises: number[];
  readonly falls: number[];
}

function changesOf(times: readonly number[], values: readonly number[], change: number, ceiling: number): Changes {
  const [starts, rises, falls]: number[][] = [[], [], []];
  let isHigh = false;
  let extreme = Number.POSITIVE_INFINITY;
  let before = Number.POSITIVE_INFINITY;
  let climb = { since: Number.NaN, last: Number.NEGATIVE_INFINITY };
  for (const [k, value] of values.entries()) {
    const ms = times[k]!;
    if (value > before) climb = { since: ms - climb.last <= SAME_CLIMB_MS ? climb.since : ms, last: ms };
    else if (value < before) climb = { since: Number.NaN, last: Number.NEGATIVE_INFINITY };
    before = value;
    if (isHigh ? value > extreme : value < extreme) extreme = value;
    else if (isHigh && extreme - value >= change && value < ceiling) {
      [isHigh, extreme] = [false, value];
      falls!.push(ms);
    } else if (!isHigh && value - extreme >= change && extreme < ceiling) {
      [isHigh, extreme] = [true, value];
      starts!.push(climb.since);
      rises!.push(ms);
    }
  }
  return { starts: starts!, rises: rises!, falls: falls! };
}

/** Returns the most flashes within `ms`, from where the first begins to where the last ends. */
function densest(begins: readonly number[], ends: readonly number[], ms: number): number {
  let most = 0;
  for (let first = 0, last = 0; last < ends.length; last++) {
    while (first <= last && ends[last]! - begins[first]! >= ms) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
