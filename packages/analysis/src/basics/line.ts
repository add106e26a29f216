/** A straight line. */
export interface Line {
  readonly slope: number;
  readonly at: (x: number) => number;
}

/** Fits a least-squares line through the points (xs[i], ys[i]); horizontal if all xs are equal. */
export function fitLine(xs: readonly number[], ys: readonly number[]): Line {
  const n = xs.length;
  const centre = xs.reduce((sum, x) => sum + x, 0) / n;
  let sum = 0;
  let product = 0;
  let square = 0;
  for (let i = 0; i < n; i++) {
    sum += ys[i]!;
    product += (xs[i]! - centre) * ys[i]!;
    square += (xs[i]! - centre) ** 2;
  }
  const slope = square > 0 ? product / square : 0;
  return { slope, at: (x) => sum / n + slope * (x - centre) };
}

/** Fits a least-squares line through values[from, to) over their indices. */
export function fitLineThrough(values: readonly number[], from = 0, to = values.length): Line {
  const own = values.slice(from, to);
  return fitLine(
    own.map((_, i) => from + i),
    own,
  );
}
