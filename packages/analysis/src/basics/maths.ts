/** Limits a number to [low, high]; NaN becomes low. */
export function clamp(value: number, low = 0, high = 1): number {
  return value > low ? (value < high ? value : high) : low;
}

/** Rounds to a number of decimals, so that the same samples always give the same JSON. */
export function round(value: number, decimals = 3): number {
  const scale = 10 ** decimals;
  return Number.isFinite(value) ? Math.round(value * scale) / scale + 0 : 0;
}

/** Returns the arithmetic mean of values[from, to); 0 if the range is empty. */
export function mean(values: ArrayLike<number>, from = 0, to = values.length): number {
  const start = Math.max(0, from);
  const end = Math.min(values.length, to);
  if (end <= start) return 0;
  let sum = 0;
  for (let i = start; i < end; i++) sum += values[i] as number;
  return sum / (end - start);
}

/** Returns the value below which `share` (0..1) of the values lie; 0 for no values. */
export function percentile(values: ArrayLike<number>, share: number): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  const at = clamp(share) * (sorted.length - 1);
  const low = Math.floor(at);
  const a = sorted[low] as number;
  const b = sorted[Math.min(low + 1, sorted.length - 1)] as number;
  return a + (b - a) * (at - low);
}

/** Returns the middle value; 0 for no values. */
export function median(values: ArrayLike<number>): number {
  return percentile(values, 0.5);
}

/** Returns the standard deviation of the array; 0 for no values. */
export function deviation(values: ArrayLike<number>): number {
  const m = mean(values);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += ((values[i] as number) - m) ** 2;
  return values.length === 0 ? 0 : Math.sqrt(sum / values.length);
}

/** Returns the centered moving average over [i - reach, i + reach], shorter at the ends. */
export function smooth(values: ArrayLike<number>, reach: number): Float32Array {
  const n = values.length;
  const sums = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) sums[i + 1] = (sums[i] as number) + (values[i] as number);
  const out = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    const from = Math.max(0, i - reach);
    const to = Math.min(n, i + reach + 1);
    out[i] = ((sums[to] as number) - (sums[from] as number)) / (to - from);
  }
  return out;
}

/** Standardizes to mean 0, deviation 1; all zeros if the values do not vary. */
export function standardise(values: ArrayLike<number>): Float32Array {
  const m = mean(values);
  const d = deviation(values);
  return Float32Array.from(values, (v) => (d > 1e-9 ? (v - m) / d : 0));
}

/** Returns the cosine of two vectors of equal length; 0 if either is zero. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] as number;
    const y = b[i] as number;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa > 0 && bb > 0 ? dot / Math.sqrt(aa * bb) : 0;
}

/** Returns the sum of the evidence, each kind times its weight. */
export function weighed<Evidence extends { readonly [Kind in keyof Evidence]: number }>(
  evidence: Evidence,
  weights: Evidence,
): number {
  return (Object.keys(weights) as (keyof Evidence)[]).reduce((sum, kind) => sum + weights[kind] * evidence[kind], 0);
}
