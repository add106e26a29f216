import { mean } from "../maths.ts";

/** Value below which `share` (0..1) of the values lie, the nearest of them; 0 for none. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))] ?? 0;
}

/** Spearman's rank correlation with mean ranks for ties; 0 when one side never changes. */
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
