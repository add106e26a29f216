/** Limits a number to [low, high]. */
export function clamp(value: number, low = 0, high = 1): number {
  return Math.min(high, Math.max(low, value));
}

/** Returns the arithmetic mean of values[from, to); 0 if the range is empty. */
export function mean(values: ArrayLike<number>, from = 0, to = values.length): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i]!;
  return to > from ? sum / (to - from) : 0;
}

/** Returns the remainder with the sign of n: 0 <= result < n for n > 0. */
export function modulo(a: number, n: number): number {
  return a - n * Math.floor(a / n);
}
