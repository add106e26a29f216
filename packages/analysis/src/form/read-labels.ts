import type { SectionLabel } from "@followspot/contract";
import { clamp } from "../basics/maths.ts";
import { WeightReader } from "../network/weight-reader.ts";
import { MANIFEST, WEIGHTS } from "./label-weights.ts";
import type { Portrait } from "./portraits.ts";

/** Labels of a song, determined jointly. */
export interface LabelReading {
  /** One label per section: the most likely labeling of the whole song. */
  readonly labels: readonly SectionLabel[];
  /** Probability of each label, per section; each sums to 1. */
  readonly probabilities: readonly Readonly<Record<SectionLabel, number>>[];
  /** Probability that a drop begins with a section: it is a drop and the previous one is not. 0 for the first. */
  readonly dropBegins: readonly number[];
  /** Probability that a section has a different label from the previous one. 1 for the first. */
  readonly changes: readonly number[];
}

const LABELS: readonly SectionLabel[] = MANIFEST.labels;
const COUNT = LABELS.length;
const DROP = LABELS.indexOf("drop");
/** Limit of a feature, in deviations from its mean. */
const FARTHEST = 4;

/** Trained weights: features per label, transitions, and labels at the start and end of a song. */
interface Weights {
  readonly mean: Float64Array;
  readonly spread: Float64Array;
  readonly says: Float64Array;
  readonly bias: Float64Array;
  readonly follow: Float64Array;
  readonly begin: Float64Array;
  readonly end: Float64Array;
}

/** Result for a song with one section: all labels are equally likely. */
const NOTHING_TO_COMPARE: LabelReading = {
  labels: ["verse"],
  probabilities: [Object.fromEntries(LABELS.map((label) => [label, 1 / COUNT])) as Record<SectionLabel, number>],
  dropBegins: [0],
  changes: [1],
};

let loaded: Weights | undefined;

/**
 * Labels left out per reading of a song: as dance music or as a song with verses. Material that returns at full level
 * is a drop in one and a chorus in the other, never both.
 */
const LEFT_OUT: readonly SectionLabel[] = ["chorus", "drop"];

/**
 * Labels all sections of a song jointly with a linear chain (J. Lafferty et al., "Conditional random fields", ICML
 * 2001). Each section scores its labels by its features, and neighbors by typical transitions (training/forms). The
 * song is read in both ways. The more likely reading gives the labels; probabilities combine both.
 */
export function readLabels(portraits: readonly Portrait[]): LabelReading {
  if (portraits.length < 2) return NOTHING_TO_COMPARE;
  const weights = (loaded ??= loadWeights());
  const scores = portraits.map((portrait) => speak(weights, portrait));
  const tellings = LEFT_OUT.map((without) =>
    tell(
      weights,
      scores.map((row) => row.with(LABELS.indexOf(without), NEVER)),
    ),
  );
  const all = logSum(tellings.map(({ total }) => total));
  const shares = tellings.map(({ total }) => Math.exp(total - all));
  const mixed = (measure: (telling: Telling) => number) =>
    tellings.reduce((sum, telling, t) => sum + shares[t]! * measure(telling), 0);
  const odds = scores.map((_, i) => LABELS.map((_label, y) => mixed((telling) => telling.odds[i]![y]!)));
  return {
    labels: tellings[indexOfMost(shares)]!.way.map((y) => LABELS[y]!),
    probabilities: odds.map(
      (row) => Object.fromEntries(LABELS.map((label, y) => [label, row[y]!])) as Record<SectionLabel, number>,
    ),
    dropBegins: scores.map((_, i) => mixed((telling) => telling.dropBegins[i]!)),
    changes: scores.map((_, i) => mixed((telling) => telling.changes[i]!)),
  };
}

/** Log score of a label that is left out. */
const NEVER = -1e6;

/** One reading of a song. */
interface Telling {
  /** Log sum over all labelings; comparable between readings. */
  readonly total: number;
  readonly way: readonly number[];
  readonly odds: readonly (readonly number[])[];
  readonly dropBegins: readonly number[];
  readonly changes: readonly number[];
}

function tell(weights: Weights, scores: readonly number[][]): Telling {
  const { forward, backward, total } = sumWays(weights, scores);
  const odds = scores.map((_, i) => forward[i]!.map((v, y) => Math.exp(v + backward[i]![y]! - total)));
  /** Returns the probability that a section and the previous one both have a label. */
  const goesOn = (i: number, y: number) =>
    Math.exp(forward[i - 1]![y]! + weights.follow[y * COUNT + y]! + scores[i]![y]! + backward[i]![y]! - total);
  return {
    total,
    way: likeliestWay(weights, scores),
    odds,
    dropBegins: scores.map((_, i) => (i === 0 ? 0 : clamp(odds[i]![DROP]! - goesOn(i, DROP)))),
    changes: scores.map((_, i) => (i === 0 ? 1 : clamp(1 - LABELS.reduce((sum, _l, y) => sum + goesOn(i, y), 0)))),
  };
}

function loadWeights(): Weights {
  const reader = new WeightReader(WEIGHTS);
  const features = MANIFEST.features.length;
  const weights = {
    mean: reader.take(features),
    spread: reader.take(features),
    says: reader.take(features * COUNT),
    bias: reader.take(COUNT),
    follow: reader.take(COUNT * COUNT),
    begin: reader.take(COUNT),
    end: reader.take(COUNT),
  };
  reader.finish();
  return weights;
}

function speak({ mean, spread, says, bias }: Weights, portrait: Portrait): number[] {
  const scores = [...bias];
  MANIFEST.features.forEach((feature, f) => {
    const far = (portrait[feature] - mean[f]!) / spread[f]!;
    const value = Math.min(FARTHEST, Math.max(-FARTHEST, far));
    for (let y = 0; y < COUNT; y++) scores[y]! += value * says[f * COUNT + y]!;
  });
  return scores;
}

/** Computes the log sums over all labelings before and after each section. */
function sumWays({ follow, begin, end }: Weights, scores: readonly number[][]) {
  const forward: number[][] = [scores[0]!.map((v, y) => v + begin[y]!)];
  for (const row of scores.slice(1)) {
    const before = forward.at(-1)!;
    forward.push(row.map((v, y) => v + logSum(before.map((b, x) => b + follow[x * COUNT + y]!))));
  }
  const backward: number[][] = [[...end]];
  for (const row of scores.slice(1).toReversed()) {
    const after = backward[0]!;
    backward.unshift(LABELS.map((_, x) => logSum(row.map((v, y) => v + after[y]! + follow[x * COUNT + y]!))));
  }
  return { forward, backward, total: logSum(forward.at(-1)!.map((v, y) => v + end[y]!)) };
}

/** Returns the jointly most likely labels (A. Viterbi, 1967). */
function likeliestWay({ follow, begin, end }: Weights, scores: readonly number[][]): number[] {
  let best = scores[0]!.map((v, y) => v + begin[y]!);
  const from: number[][] = [];
  for (const row of scores.slice(1)) {
    const came = row.map((_, y) => indexOfMost(best.map((b, x) => b + follow[x * COUNT + y]!)));
    best = row.map((v, y) => v + best[came[y]!]! + follow[came[y]! * COUNT + y]!);
    from.push(came);
  }
  const way = [indexOfMost(best.map((v, y) => v + end[y]!))];
  for (const came of from.toReversed()) way.unshift(came[way[0]!]!);
  return way;
}

function indexOfMost(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}

function logSum(values: readonly number[]): number {
  const top = Math.max(...values);
  return top + Math.log(values.reduce((sum, v) => sum + Math.exp(v - top), 0));
}
