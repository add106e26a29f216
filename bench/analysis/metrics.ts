import { nearestIndex } from "@followspot/contract";

/** Metrics as mir_eval defines them: C. Raffel et al., ISMIR 2014. Times are seconds, ascending. */

/** Beats before this are not judged: a listener needs time to find the beat. */
const BEAT_TRIM_SECONDS = 5;
const BEAT_WINDOW_SECONDS = 0.07;

/** F-measure of beats within ±70 ms, first 5 s dropped; each beat is matched once. */
export function beatF(estimated: readonly number[], truth: readonly number[]): number {
  const trim = (times: readonly number[]) => times.filter((t) => t >= BEAT_TRIM_SECONDS);
  return matchF(trim(estimated), trim(truth), BEAT_WINDOW_SECONDS);
}

/** F-measure of times within a window; 1 when both lists are empty. */
export function matchF(estimated: readonly number[], truth: readonly number[], window: number): number {
  if (estimated.length + truth.length === 0) return 1;
  let hits = 0;
  // Greedy from the left is the largest matching, for intervals of one width on a line.
  for (let i = 0, j = 0; i < estimated.length && j < truth.length;) {
    const difference = estimated[i]! - truth[j]!;
    if (Math.abs(difference) <= window) {
      hits++;
      i++;
      j++;
    } else if (difference < 0) i++;
    else j++;
  }
  return (2 * hits) / (estimated.length + truth.length);
}

/** Tempo within 4 % of the truth; octaves also allows half, double, a third and three times. */
export function tempoRight(estimated: number, truth: number, octaves = false): boolean {
  const factors = octaves ? [1, 2, 0.5, 3, 1 / 3] : [1];
  return factors.some((f) => Math.abs(estimated - f * truth) <= 0.04 * f * truth);
}

/** A beat is right when its phase and its interval are within this share of the true interval. */
const CONTINUITY_TOLERANCE = 0.175;

export interface Continuity {
  /** Right beats by the number of beats, estimated or true (whichever is more), at the true metrical level. */
  readonly cmlt: number;
  /** The same where double, half (either phase) and the off-beat are right too; the best of them. */
  readonly amlt: number;
}

/**
 * Continuity-based evaluation after S. Hainsworth (2004) and A. Klapuri et al. (2006), totals; first 5 s dropped.
 *
 * A beat is right when it lies within 17.5 % of an interval of an unused true beat and the interval before it
 * (after it, for a first beat) is the true interval ± 17.5 %.
 */
export function continuity(estimated: readonly number[], truth: readonly number[]): Continuity {
  const trim = (times: readonly number[]) => times.filter((t) => t >= BEAT_TRIM_SECONDS);
  const beats = trim(estimated);
  const reference = trim(truth);
  if (beats.length < 2 || reference.length < 2) return { cmlt: 0, amlt: 0 };
  const doubled = reference.flatMap((t, i) => (i + 1 < reference.length ? [t, (t + reference[i + 1]!) / 2] : [t]));
  const every2nd = (times: readonly number[], from: number) => times.filter((_, i) => i % 2 === from);
  const cmlt = rightShare(beats, reference);
  const others = [every2nd(doubled, 1), doubled, every2nd(reference, 0), every2nd(reference, 1)];
  return { cmlt, amlt: Math.max(cmlt, ...others.map((level) => rightShare(beats, level))) };
}

function rightShare(beats: readonly number[], truth: readonly number[]): number {
  if (truth.length < 2) return 0;
  const used = new Set<number>();
  beats.forEach((beat, m) => {
    const n = nearestIndex(truth, beat);
    if (used.has(n)) return;
    const isFirst = m === 0 || n === 0;
    const interval = gap(truth, isFirst ? n : n - 1);
    const phase = Math.abs(beat - truth[n]!) / interval;
    const period = Math.abs(1 - gap(beats, isFirst ? m : m - 1) / interval);
    if (phase < CONTINUITY_TOLERANCE && period < CONTINUITY_TOLERANCE) used.add(n);
  });
  return used.size / Math.max(beats.length, truth.length);
}

/** The interval that begins at index i, or the last one. */
function gap(times: readonly number[], i: number): number {
  const from = Math.min(i, times.length - 2);
  return times[from + 1]! - times[from]!;
}

/** Bins of the histogram of beat errors, as M. Davies et al. have it. */
const ERROR_BINS = 40;

/**
 * Information gain of two trackers over chance: how far the errors of one against the other are from evenly spread,
 * whatever their phases (M. Davies, N. Degara, M. Plumbley, "Evaluation methods for musical audio beat
 * tracking algorithms", 2009); first 5 s dropped.
 * @returns bits, 0 for chance to log2(40) = 5.32
 */
export function informationGain(one: readonly number[], other: readonly number[]): number {
  const trim = (times: readonly number[]) => times.filter((t) => t >= BEAT_TRIM_SECONDS);
  const [a, b] = [trim(one), trim(other)];
  if (a.length < 2 || b.length < 2) return 0;
  return Math.log2(ERROR_BINS) - Math.max(errorEntropy(a, b), errorEntropy(b, a));
}

/** Entropy in bits of the errors of beats, each by the interval of the other side that it lies in. */
function errorEntropy(beats: readonly number[], other: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const beat of beats) {
    const n = nearestIndex(other, beat);
    const error = (beat - other[n]!) / gap(other, beat < other[n]! ? Math.max(0, n - 1) : n);
    if (Math.abs(error) > 0.5) continue;
    const bin = Math.round(error * ERROR_BINS + ERROR_BINS) % ERROR_BINS;
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return Math.log2(ERROR_BINS);
  return -[...counts.values()].reduce((sum, count) => sum + (count / total) * Math.log2(count / total), 0);
}

/** Estimated minus true time, in ms, of each beat that matches one within ±70 ms; first 5 s dropped. */
export function beatErrors(estimated: readonly number[], truth: readonly number[]): number[] {
  if (truth.length === 0) return [];
  return estimated
    .filter((t) => t >= BEAT_TRIM_SECONDS)
    .map((t) => t - truth[nearestIndex(truth, t)]!)
    .filter((error) => Math.abs(error) <= BEAT_WINDOW_SECONDS)
    .map((error) => 1000 * error);
}

/**
 * Hit rate (F) of section boundaries as mir_eval's `segment.evaluate` without trimming: both sides are stretched to
 * 0..end first, so the two ends always hit.
 *
 * @param estimated starts of sections, s
 * @param truth starts of sections, s
 * @param end end of the last true section, s
 * @param window half width in which a boundary hits: 0.5 or 3 s
 */
export function boundaryF(estimated: readonly number[], truth: readonly number[], end: number, window: number): number {
  const boundaries = (starts: readonly number[]) =>
    [...new Set([0, ...starts.filter((t) => t > 0 && t < end), end])].sort((a, b) => a - b);
  return matchF(boundaries(estimated), boundaries(truth), window);
}

/**
 * Area under the ROC curve: how often a score that should be high is higher than one that should be low (ties half).
 * @returns 0..1; undefined when one side is empty
 */
export function areaUnderRoc(high: readonly number[], low: readonly number[]): number | undefined {
  if (high.length === 0 || low.length === 0) return undefined;
  const all = [...high.map((v) => ({ v, isHigh: true })), ...low.map((v) => ({ v, isHigh: false }))];
  all.sort((a, b) => a.v - b.v);
  let rankSum = 0;
  for (let from = 0, to = 0; from < all.length; from = to) {
    while (to < all.length && all[to]!.v === all[from]!.v) to++;
    const tied = all.slice(from, to).filter((item) => item.isHigh).length;
    rankSum += (tied * (from + 1 + to)) / 2;
  }
  return (rankSum - (high.length * (high.length + 1)) / 2) / (high.length * low.length);
}

/**
 * Vocal presence, frame by frame, against the intervals that are sung.
 * @param presence curve 0..1; value i is the presence at i / rate
 * @param rate frames per second
 * @param intervals [from, to] in s
 * @returns area under the ROC curve; undefined when none or all of the song is sung
 */
export function vocalAuc(
  presence: readonly number[],
  rate: number,
  intervals: readonly (readonly [number, number])[],
): number | undefined {
  const isSung = (t: number) => intervals.some(([from, to]) => t >= from && t < to);
  return areaUnderRoc(
    presence.filter((_, i) => isSung(i / rate)),
    presence.filter((_, i) => !isSung(i / rate)),
  );
}

const PITCHES: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

/** MIREX key weights: 1 same, 0.5 fifth above, 0.3 relative, 0.2 parallel, 0 otherwise. */
export function keyScore(estimated: string, truth: string): number {
  const a = readKey(estimated);
  const b = readKey(truth);
  if (!a || !b) return 0;
  const up = (a.tonic - b.tonic + 12) % 12;
  if (up === 0) return a.scale === b.scale ? 1 : 0.2;
  if (a.scale === b.scale) return up === 7 ? 0.5 : 0;
  const relative = b.scale === "major" ? 9 : 3;
  return up === relative ? 0.3 : 0;
}

function readKey(name: string): { tonic: number; scale: string } | undefined {
  const parts = /^([A-G])([#b]?) (major|minor)$/.exec(name);
  if (!parts) return undefined;
  const shift = parts[2] === "#" ? 1 : parts[2] === "b" ? -1 : 0;
  return { tonic: (PITCHES[parts[1]!]! + shift + 12) % 12, scale: parts[3]! };
}

/**
 * Scale-invariant signal-to-distortion ratio (J. Le Roux et al., "SDR – half-baked or well done?", ICASSP 2019): how far
 * the part of an estimate that is like the truth stands above the rest, dB.
 * @param estimate channels, judged as one signal
 * @param truth the same channels; not silent
 */
export function scaleInvariantSdr(estimate: readonly Float32Array[], truth: readonly Float32Array[]): number {
  let product = 0;
  let truePower = 0;
  let power = 0;
  truth.forEach((channel, c) =>
    channel.forEach((value, n) => {
      const estimated = estimate[c]![n]!;
      product += value * estimated;
      truePower += value * value;
      power += estimated * estimated;
    }),
  );
  const like = (product * product) / truePower;
  return 10 * Math.log10(like / (power - like));
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
}
