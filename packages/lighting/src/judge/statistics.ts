import { lastAtOrBefore } from "@followspot/contract";
import { mean } from "../maths.ts";

/** Returns the nearest value below which `share` (0..1) of the values lie; 0 if there are none. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))] ?? 0;
}

/** Spearman's rank correlation with mean ranks for ties; 0 if one side is constant. */
export function spearman(x: readonly number[], y: readonly number[]): number {
  return pearson(ranks(x), ranks(y));
}

/** Kendall's tau-b. */
export function kendall(x: readonly number[], y: readonly number[]): number {
  let score = 0;
  let pairsX = 0;
  let pairsY = 0;
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const a = Math.sign(x[i]! - x[j]!);
      const b = Math.sign(y[i]! - y[j]!);
      score += a * b;
      pairsX += a * a;
      pairsY += b * b;
    }
  }
  return pairsX && pairsY ? score / Math.sqrt(pairsX * pairsY) : 0;
}

function pearson(x: readonly number[], y: readonly number[]): number {
  const mx = mean(x);
  const my = mean(y);
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (let i = 0; i < x.length; i++) {
    xy += (x[i]! - mx) * (y[i]! - my);
    xx += (x[i]! - mx) ** 2;
    yy += (y[i]! - my) ** 2;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
}

function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const out = Array.from({ length: values.length }, () => 0);
  for (let i = 0; i < order.length;) {
    let j = i;
    while (j + 1 < order.length && values[order[j + 1]!] === values[order[i]!]) j++;
    for (let k = i; k <= j; k++) out[order[k]!] = (i + j) / 2;
    i = j + 1;
  }
  return out;
}

/** Adjusted Rand index of two labelings: 1 identical, 0 at chance level. */
export function adjustedRand(a: readonly number[], b: readonly number[]): number {
  const pairs = (n: number) => (n * (n - 1)) / 2;
  const countOf = (keys: readonly (number | string)[]) =>
    [...Map.groupBy(keys, (key) => key).values()].map((v) => v.length);
  const sum = (counts: readonly number[]) => counts.reduce((total, n) => total + pairs(n), 0);
  const together = sum(countOf(a.map((v, i) => `${v} ${b[i]}`)));
  const ofA = sum(countOf(a));
  const ofB = sum(countOf(b));
  const all = pairs(a.length);
  if (all === 0) return 0;
  const expected = (ofA * ofB) / all;
  const most = (ofA + ofB) / 2;
  return most === expected ? 0 : (together - expected) / (most - expected);
}

/**
 * F-measure of detected times against true ones. Each is matched once, with the nearest within a tolerance in seconds.
 */
export function timesF(found: readonly number[], truth: readonly number[], tolerance: number): number {
  if (found.length === 0 || truth.length === 0) return 0;
  const hits = matches(found, truth, tolerance);
  return (2 * hits) / (found.length + truth.length);
}

/** Returns how many true times have a detected time of their own within a tolerance, nearest pairs first. */
export function matches(found: readonly number[], truth: readonly number[], tolerance: number): number {
  const sorted = truth.toSorted((a, b) => a - b);
  const pairs = found.flatMap((f, i) => {
    const near: { i: number; j: number; apart: number }[] = [];
    for (let j = lastAtOrBefore(sorted, f - tolerance) + 1; j < sorted.length && sorted[j]! <= f + tolerance; j++) {
      near.push({ i, j, apart: Math.abs(f - sorted[j]!) });
    }
    return near;
  });
  const usedFound = new Set<number>();
  const usedTruth = new Set<number>();
  for (const { i, j } of pairs.sort((a, b) => a.apart - b.apart)) {
    if (usedFound.has(i) || usedTruth.has(j)) continue;
    usedFound.add(i);
    usedTruth.add(j);
  }
  return usedTruth.size;
}

/**
 * Clusters points agglomeratively by joining the two nearest clusters (Lance and Williams).
 *
 * @param linkage  "ward" on squared distances, or "average"
 * @param isDone   called before each join with the number of clusters and the distance of the nearest two
 * @returns the cluster of each point, numbered from 0
 */
export function cluster(
  points: readonly ArrayLike<number>[],
  linkage: "ward" | "average",
  isDone: (left: number, nearest: number) => boolean,
): number[] {
  const n = points.length;
  const d = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      let sum = 0;
      for (let k = 0; k < points[i]!.length; k++) sum += (points[i]![k]! - points[j]![k]!) ** 2;
      d[i * n + j] = d[j * n + i] = linkage === "ward" ? sum : Math.sqrt(sum);
    }
  }
  const size = new Float64Array(n).fill(1);
  const alive = Array.from({ length: n }, (_, i) => i);
  const owner = Array.from({ length: n }, (_, i) => i);
  // Nearest neighbor of each cluster, recomputed only when it has changed.
  const nearest = new Int32Array(n).fill(-1);
  const look = (i: number) => {
    let best = -1;
    for (const j of alive) if (j !== i && (best < 0 || d[i * n + j]! < d[i * n + best]!)) best = j;
    nearest[i] = best;
  };
  alive.forEach(look);
  while (alive.length > 1) {
    let a = alive[0]!;
    for (const i of alive) if (d[i * n + nearest[i]!]! < d[a * n + nearest[a]!]!) a = i;
    const b = nearest[a]!;
    const apart = d[a * n + b]!;
    if (isDone(alive.length, apart)) break;
    alive.splice(alive.indexOf(b), 1);
    const [sa, sb] = [size[a]!, size[b]!];
    for (const k of alive) {
      if (k === a) continue;
      const [da, db, sk] = [d[a * n + k]!, d[b * n + k]!, size[k]!];
      const joined =
        linkage === "ward"
          ? ((sa + sk) * da + (sb + sk) * db - sk * apart) / (sa + sb + sk)
          : (sa * da + sb * db) / (sa + sb);
      d[a * n + k] = d[k * n + a] = joined;
    }
    size[a] = sa + sb;
    for (let i = 0; i < n; i++) if (owner[i] === b) owner[i] = a;
    look(a);
    for (const k of alive) {
      if (k === a) continue;
      if (nearest[k] === a || nearest[k] === b) look(k);
      else if (d[k * n + a]! < d[k * n + nearest[k]!]!) nearest[k] = a;
    }
  }
  const number = new Map(alive.map((i, k) => [i, k] as const));
  return owner.map((i) => number.get(i)!);
}
