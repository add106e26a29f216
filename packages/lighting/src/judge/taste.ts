import { GRID_HZ } from "../flash-limiter.ts";
import { mean } from "../maths.ts";
import { brightnessOf, longest, tickOf, type Case } from "./case.ts";
import { peakSections } from "./dynamics.ts";
import { distance, FRAME_HZ, HUE_BINS } from "./light-record.ts";
import { measure, type Measure } from "./measure.ts";
import { cluster } from "./statistics.ts";

/** Measures whether a show is pleasant to watch for an evening. */
export function tasteMeasures(c: Case): Measure[] {
  const rest = restShare(c);
  const same = longestSame(c);
  const bright = longest(c.light, (k) => c.light.brightness[k]! > 0.85);
  return [
    measure("M14b", "hues of the song", songHues(c).length, 2, 5),
    measure("M15", "colour churn per minute", colourChurn(c), 2, 10),
    measure("M16", "distinct looks", distinctLooks(c), 4, 12),
    measure("M17", "share of rest", rest, 0.25, 0.7),
    measure("M17a", "longest same look, seconds", same, 0, 60),
    measure("M17b", "longest time above 0.85, seconds", bright, 0, 45),
    measure("M19c", "share with every group above half", allOnShare(c), 0, 0.2),
    measure("M21", "evenness of rig use (Gini)", gini(c), 0, 0.45),
    measure("R5", "chorus and drop bars that swing left and right", swingShare(c), 0.3, 1),
    measure("R6", "copied eight-bar windows", copiedWindows(c), 0, 0.35),
    measure("R7", "light onsets per second", onsetRate(c), 0, 3),
    measure("R8", "saturation", litMean(c, c.light.saturation), 0.3, 1),
    measure("R9", "mean light", mean(brightnessOf(c)), 0.15, 0.75),
  ];
}

/** Brightness up to which the stage counts as dark. */
const DARK = 0.03;

/** Returns the mean of a curve over the ticks with light. */
function litMean({ light }: Case, curve: Float32Array): number {
  const lit = Array.from(curve).filter((_, k) => light.brightness[k]! > DARK);
  return mean(lit);
}

/** M14: hues of the song, degrees: means of 30-degree bins with more than 3 % of its color. */
function songHues({ light }: Pick<Case, "light">): number[] {
  return usedHues(light.hues, 0, light.frames, 0.03);
}

/** Smallest distance of two distinct hues, degrees. */
const ANOTHER_HUE = 45;

/**
 * Returns the hue with most of the song's color, and the strongest distinct one, degrees. One or none for shows
 * without.
 */
export function leadingHues({ light }: Pick<Case, "light">): number[] {
  const bins = new Float64Array(HUE_BINS);
  light.hues.forEach((v, i) => (bins[i % HUE_BINS]! += v));
  // The strength of a hue is that of the 30 degrees around it.
  const around = bins.map((v, i) => bins.at(i - 1)! + v + bins[(i + 1) % HUE_BINS]!);
  const order = [...around.keys()].sort((a, b) => around[b]! - around[a]!);
  const first = order[0]!;
  if (around[first] === 0) return [];
  const apart = (i: number) => Math.abs(((((i - first) * 360) / HUE_BINS + 540) % 360) - 180);
  const second = order.find((i) => apart(i) >= ANOTHER_HUE && around[i]! > 0.1 * around[first]!);
  return [first, ...(second === undefined ? [] : [second])].map((i) => ((i + 0.5) * 360) / HUE_BINS);
}

function usedHues(hues: Float32Array, from: number, to: number, least: number): number[] {
  const bins = new Float64Array(12);
  const turns = new Float64Array(12);
  for (let frame = from; frame < to; frame++) {
    for (let i = 0; i < HUE_BINS; i++) {
      const v = hues[frame * HUE_BINS + i]!;
      const wide = Math.floor((i * 12) / HUE_BINS);
      bins[wide]! += v;
      turns[wide]! += v * ((i + 0.5) / HUE_BINS) * 360;
    }
  }
  const sum = bins.reduce((a, b) => a + b, 0);
  return [...bins].flatMap((v, i) => (sum > 0 && v > least * sum ? [turns[i]! / v] : []));
}

/** M14: mean number of hues in a bar, each with more than 8 % of its color. */
export function huesPerBar({ light, lines }: Case): number {
  const counts = lines.slice(1).flatMap((end, i) => {
    const from = Math.min(light.frames - 1, Math.round(lines[i]! * FRAME_HZ));
    const count = usedHues(light.hues, from, Math.min(light.frames, Math.round(end * FRAME_HZ)), 0.08).length;
    return count > 0 ? [count] : [];
  });
  return mean(counts);
}

/** M15: path length of the rig's mean color in OKLab, per minute of song. */
function colourChurn({ light, truth }: Case): number {
  let path = 0;
  const step = GRID_HZ / 4;
  for (let k = step; k < light.ticks; k += step) {
    const isLit = light.brightness[k]! > DARK && light.brightness[k - step]! > DARK;
    if (isLit) path += Math.hypot(light.a[k]! - light.a[k - step]!, light.b[k]! - light.b[k - step]!);
  }
  return (path / Math.max(1, truth.soundEnd - truth.soundStart)) * 60;
}

/** Distance from which two looks are distinct. */
const ANOTHER_LOOK = 0.35;
const MOST_BARS = 240;

/** M16: number of distinct looks: bars clustered by average linkage until the nearest clusters are distinct. */
function distinctLooks({ looks }: Case): number {
  const every = Math.ceil(looks.length / MOST_BARS);
  const chosen = looks.filter((_, i) => i % every === 0);
  return new Set(cluster(chosen, "average", (_, nearest) => nearest > ANOTHER_LOOK)).size;
}

/** M17: share of seconds in which the rig's light hardly changes. */
function restShare({ light, truth }: Case): number {
  const from = Math.ceil(truth.soundStart);
  const to = Math.floor(truth.soundEnd);
  let rest = 0;
  for (let s = from; s < to; s++) {
    let moved = 0;
    for (let k = s * GRID_HZ + 1; k <= (s + 1) * GRID_HZ && k < light.ticks; k++) {
      moved += Math.abs(light.brightness[k]! - light.brightness[k - 1]!);
    }
    if (moved < 0.15) rest++;
  }
  return to > from ? rest / (to - from) : 0;
}

/** Distance below which bars look the same. */
const SAME_LOOK = 0.05;

/**
 * M17: longest time in which every bar looks like the first of them, seconds. Passages of rank 0 and 1 may be still.
 */
function longestSame({ looks, lines, truth }: Case): number {
  let most = 0;
  let first = 0;
  for (let i = 1; i <= looks.length; i++) {
    if (i < looks.length && distance(looks[i]!, looks[first]!) < SAME_LOOK) continue;
    const quiet = truth.sections.some(
      (s) => s.rank <= 1 && s.start <= lines[first]! + 0.05 && s.end >= lines[i]! - 0.05,
    );
    if (!quiet) most = Math.max(most, lines[i]! - lines[first]!);
    first = i;
  }
  return most;
}

/** M19: share of the song with every zone above half. */
function allOnShare({ light }: Case): number {
  let on = 0;
  for (let k = 0; k < light.ticks; k++) if (light.zones.every((zone) => zone[k]! > 0.5)) on++;
  return on / light.ticks;
}

/** M21: Gini coefficient of the time that zones are lit. */
function gini({ light }: Case): number {
  const use = light.zones.map((zone) => zone.reduce((sum, v) => sum + (v > 0.05 ? 1 : 0), 0)).sort((a, b) => a - b);
  const sum = use.reduce((a, b) => a + b, 0);
  if (use.length < 2 || sum === 0) return 0;
  return use.reduce((acc, v, i) => acc + (2 * (i + 1) - use.length - 1) * v, 0) / (use.length * sum);
}

/** Range of the left-right balance within a bar from which light swings. */
const SWING = 0.15;

/** R5: share of the bars of choruses and drops in which light moves between left and right. */
function swingShare(c: Case): number | undefined {
  const { light, lines } = c;
  if (light.stage.zones.every((zone) => zone.heads.length < 2)) return undefined;
  const peaks = peakSections(c);
  let bars = 0;
  let swinging = 0;
  for (let i = 0; i + 1 < lines.length; i++) {
    const middle = (lines[i]! + lines[i + 1]!) / 2;
    if (!peaks.some((section) => section.start <= middle && middle < section.end)) continue;
    bars++;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let k = tickOf(light, lines[i]!); k < tickOf(light, lines[i + 1]!); k++) {
      low = Math.min(low, light.balance[k]!);
      high = Math.max(high, light.balance[k]!);
    }
    if (high - low >= SWING) swinging++;
  }
  return bars > 0 ? swinging / bars : undefined;
}

const WINDOW_BARS = 8;
const WINDOW_STEP = 4;

/** R6: share of eight-bar windows that repeat an earlier window bar for bar. */
function copiedWindows({ looks }: Case): number | undefined {
  // In very long songs, only windows a phrase apart are compared.
  const every = looks.length > 2 * MOST_BARS ? WINDOW_STEP : 1;
  let windows = 0;
  let copies = 0;
  for (let at = WINDOW_BARS; at + WINDOW_BARS <= looks.length; at += WINDOW_STEP) {
    windows++;
    let isCopy = false;
    for (let from = 0; !isCopy && from + WINDOW_BARS <= at; from += every) {
      let apart = 0;
      for (let i = 0; i < WINDOW_BARS; i++) apart += distance(looks[at + i]!, looks[from + i]!);
      isCopy = apart / WINDOW_BARS < SAME_LOOK;
    }
    if (isCopy) copies++;
  }
  return windows > 0 ? copies / windows : undefined;
}

/** R7: light onsets per second. */
function onsetRate({ onsets, truth }: Case): number {
  return onsets.length / Math.max(1, truth.soundEnd - truth.soundStart);
}
