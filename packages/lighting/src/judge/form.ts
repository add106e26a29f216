import { mean } from "../maths.ts";
import { sectionAt, type Case } from "./case.ts";
import { distance, likeness, lookOf } from "./light-record.ts";
import { measure, type Measure } from "./measure.ts";
import { adjustedRand, cluster, matches, quantile, timesF } from "./statistics.ts";
import { trueEdges } from "./truth.ts";

/** Measures whether the form of the song is readable from the light alone. */
export function formMeasures(c: Case): Measure[] {
  const f05 = edgeF(c, 0.5);
  const f3 = edgeF(c, 3);
  return [
    measure("M5", "contrast at edges, octaves over within", edgeContrast(c), 1.5, 12),
    measure("M6", "edges read from the light, mean F", f05 === undefined ? undefined : (f05 + f3!) / 2, 0.55, 1),
    measure("M6a", "edges read within 0.5 s, F", f05, 0.5, 1),
    measure("M6b", "edges read within 3 s, F", f3, 0.6, 1),
    measure("R1", "biggest changes that lie on edges", biggestOnEdges(c), 0.5, 1),
    measure("M7", "form read from the light, ARI", formRead(c), 0.45, 1),
    ...repetition(c),
  ];
}

/** M5: how much more looks differ across edges than within sections, octaves; four bars on each side. */
export function edgeContrast({ truth, light, bar }: Case): number | undefined {
  const across = truth.sections.slice(1).map((section, i) => {
    const before = truth.sections[i]!;
    const from = Math.max(before.start, section.start - 4 * bar);
    const to = Math.min(section.end, section.start + 4 * bar);
    return distance(lookOf(light, from, section.start), lookOf(light, section.start, to));
  });
  const within = truth.sections
    .filter((section) => section.end - section.start >= 3.5 * bar)
    .map(({ start, end }) => {
      const half = Math.min(4 * bar, (end - start) / 2);
      return distance(lookOf(light, start, start + half), lookOf(light, start + half, start + 2 * half));
    });
  if (across.length === 0 || within.length === 0) return undefined;
  return Math.log2((quantile(across, 0.5) + 0.02) / (quantile(within, 0.5) + 0.02));
}

/** Smallest change that counts as an edge, as a share of the mean of the song's three biggest, and absolute. */
const EDGE_SHARE = 0.25;
const EDGE_LEAST = 0.1;

/** M6: F-measure of the light's changes of look against true edges. @param tolerance seconds */
export function edgeF({ truth, changes }: Case, tolerance: number): number | undefined {
  const edges = trueEdges(truth);
  if (edges.length === 0) return undefined;
  const sizes = changes.map((change) => change.size).sort((a, b) => b - a);
  const least = Math.max(EDGE_LEAST, EDGE_SHARE * mean(sizes.slice(0, 3)));
  const found = changes.filter((change) => change.size >= least).map((change) => change.time);
  return timesF(found, edges, tolerance);
}

/** R1: of K true edges, the share with one of the light's K biggest changes within 0.5 s. */
export function biggestOnEdges({ truth, changes }: Case, tolerance = 0.5): number | undefined {
  const edges = trueEdges(truth);
  if (edges.length === 0) return undefined;
  const biggest = changes.toSorted((a, b) => b.size - a.size).slice(0, edges.length);
  return (
    matches(
      biggest.map((change) => change.time),
      edges,
      tolerance,
    ) / edges.length
  );
}

/** Most bars compared with each other; longer songs use every second, third… bar. */
const MOST_BARS = 240;

/** M7: adjusted Rand index of bars clustered by their look, against the song's labels. */
export function formRead({ truth, looks, lines }: Case): number | undefined {
  const every = Math.ceil(looks.length / MOST_BARS);
  const bars = looks.map((_, i) => i).filter((i) => i % every === 0);
  const labels = bars.map((i) => truth.sections[sectionAt(truth, (lines[i]! + lines[i + 1]!) / 2)]?.label ?? "verse");
  const names = [...new Set(labels)];
  if (names.length < 2 || bars.length < 8) return undefined;
  const found = cluster(
    bars.map((i) => looks[i]!),
    "ward",
    (left) => left <= names.length,
  );
  return adjustedRand(
    found,
    labels.map((label) => names.indexOf(label)),
  );
}

/** M18: looks of one label should be alike but not identical; looks of different labels should be less alike. */
function repetition({ truth, light }: Case): Measure[] {
  const looks = truth.sections.map(({ start, end }) => lookOf(light, start, end));
  const same: number[] = [];
  const other: number[] = [];
  for (let i = 0; i < looks.length; i++) {
    for (let j = 0; j < i; j++) {
      const isSame = truth.sections[i]!.label === truth.sections[j]!.label;
      (isSame ? same : other).push(likeness(looks[i]!, looks[j]!));
    }
  }
  const alike = same.length > 0 ? mean(same) : undefined;
  const apart = same.length > 0 && other.length > 0 ? alike! - mean(other) : undefined;
  const outside = alike === undefined ? undefined : Math.max(0, 0.75 - alike, alike - 0.98);
  const missing = apart === undefined ? 0 : Math.max(0, 0.15 - apart);
  return [
    measure(
      "M18",
      "repetition, distance outside its bands",
      outside === undefined ? undefined : outside + missing,
      0,
      0.001,
    ),
    measure("M18a", "likeness of sections of one label", alike, 0.75, 0.98),
    measure("M18b", "the same less that of other labels", apart, 0.15, 1),
  ];
}
