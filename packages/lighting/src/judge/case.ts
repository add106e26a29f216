import { nearestIndex, type LightingPlan } from "@followspot/contract";
import { GRID_HZ } from "../flash-limiter.ts";
import { mean } from "../maths.ts";
import { distance, FRAME_HZ, LOOK_WIDTH, lookOf, type LightRecord } from "./light-record.ts";
import { barLines, barSeconds, type SongTruth } from "./truth.ts";

/** A moment at which the look changes. */
export interface Change {
  /** Seconds. */
  readonly time: number;
  /** Distance between the looks before and after. */
  readonly size: number;
}

/** A show together with its song, and the values that several measures share. */
export interface Case {
  readonly truth: SongTruth;
  readonly light: LightRecord;
  /** The plan and its limiter statistics; undefined for baselines. */
  readonly made?: Made | undefined;
  /** Length of a beat and of a bar, seconds. */
  readonly beat: number;
  readonly bar: number;
  /** Bar lines, seconds; the look of bar i lies between lines i and i + 1. */
  readonly lines: readonly number[];
  readonly looks: readonly Float64Array[];
  /** Changes of look between adjacent windows of two bars, in time order. */
  readonly changes: readonly Change[];
  /** Times at which light comes on or hits, seconds. */
  readonly onsets: readonly number[];
}

export interface Made {
  readonly plan: LightingPlan;
  readonly mostFlashes: number;
  readonly limitedShare: number;
}

/** Window on each side of a change of look: two bars, within limits. */
const WINDOW_BARS = 2;
const SHORTEST_WINDOW_SECONDS = 1.5;
const LONGEST_WINDOW_SECONDS = 6;
/** Share of a window between the ends of the sound and the first and last change. */
const INSIDE = 0.9;
const ONSET_RISE = 0.15;
const ONSET_TICKS = 4;

export function caseOf(truth: SongTruth, light: LightRecord, made?: Made): Case {
  const bar = barSeconds(truth);
  const lines = barLines(truth);
  const window = Math.min(LONGEST_WINDOW_SECONDS, Math.max(SHORTEST_WINDOW_SECONDS, WINDOW_BARS * bar));
  return {
    truth,
    light,
    made,
    beat: bar / truth.beatsPerBar,
    bar,
    lines,
    looks: lines.slice(1).map((end, i) => lookOf(light, lines[i]!, end)),
    changes: findChanges(truth, light, Math.round(window * FRAME_HZ), Math.round(0.75 * window * FRAME_HZ)),
    onsets: findOnsets(light),
  };
}

/**
 * Returns the peaks of the distance between the looks before and after each frame. A peak within `apart` frames of a
 * higher one is dropped.
 */
function findChanges(truth: SongTruth, light: LightRecord, window: number, apart: number): Change[] {
  const first = Math.ceil(truth.soundStart * FRAME_HZ);
  const last = Math.min(light.frames, Math.floor(truth.soundEnd * FRAME_HZ));
  const margin = Math.max(2, Math.floor(window / 3));
  const before = new Float64Array(light.zones.length * LOOK_WIDTH);
  const after = new Float64Array(light.zones.length * LOOK_WIDTH);
  const novelty = new Float32Array(light.frames);
  for (let i = first + margin; i <= last - margin; i++) {
    lookOf(light, Math.max(first, i - window) / FRAME_HZ, i / FRAME_HZ, before);
    lookOf(light, i / FRAME_HZ, Math.min(last, i + window) / FRAME_HZ, after);
    novelty[i] = distance(before, after);
  }
  const changes: Change[] = [];
  // Light that starts with the first sound or ends with the last is not a change of look.
  const inside = Math.max(margin, Math.floor(INSIDE * window));
  for (let i = first + inside; i <= last - inside; i++) {
    const size = novelty[i]!;
    if (size < 0.02) continue;
    let isPeak = true;
    for (let k = Math.max(0, i - apart); isPeak && k <= Math.min(light.frames - 1, i + apart); k++) {
      isPeak = novelty[k]! < size || (novelty[k] === size && k >= i);
    }
    if (isPeak) changes.push({ time: i / FRAME_HZ, size });
  }
  return changes;
}

function findOnsets(light: LightRecord): number[] {
  const onsets: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let k = 1; k < light.ticks; k++) {
    if (light.rise[k]! < ONSET_RISE || k / GRID_HZ - last < 0.1) continue;
    let at = k;
    for (let j = Math.max(1, k - ONSET_TICKS + 1); j <= k; j++) if (light.step[j]! > light.step[at]!) at = j;
    if (at / GRID_HZ - last < 0.1) continue;
    last = at / GRID_HZ;
    onsets.push(last);
  }
  return onsets;
}

export function tickOf(light: LightRecord, t: number): number {
  return Math.min(light.ticks - 1, Math.max(0, Math.round(t * GRID_HZ)));
}

/** Returns the mean brightness between two times in seconds. */
export function meanLight(light: LightRecord, from: number, to: number): number {
  const a = tickOf(light, from);
  return mean(light.brightness, a, Math.max(a + 1, tickOf(light, to)));
}

/** Returns the brightness while the song sounds. */
export function brightnessOf({ truth, light }: Case): Float32Array {
  return light.brightness.subarray(tickOf(light, truth.soundStart), tickOf(light, truth.soundEnd) + 1);
}

export function distanceTo(sorted: readonly number[], t: number): number {
  return Math.abs(t - (sorted[nearestIndex(sorted, t)] ?? Number.POSITIVE_INFINITY));
}

/** Returns the longest run of ticks that satisfy a condition, seconds. */
export function longest(light: LightRecord, claim: (tick: number) => boolean): number {
  let run = 0;
  let most = 0;
  for (let k = 0; k < light.ticks; k++) {
    run = claim(k) ? run + 1 : 0;
    most = Math.max(most, run);
  }
  return most / GRID_HZ;
}

/** Returns the index of the section at a time. */
export function sectionAt(truth: SongTruth, t: number): number {
  return Math.max(
    0,
    truth.sections.findLastIndex((section) => section.start <= t + 0.05),
  );
}
