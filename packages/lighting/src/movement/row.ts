/** Where a moving head is in the row of its like, from left to right. */
export interface RowPlace {
  /** 0..1; 0.5 for one alone. */
  readonly place: number;
  /** Heads at the same width have the same. */
  readonly index: number;
}

/** Heads so near to each other from left to right stand over one another, metres. */
const SAME_WIDTH = 0.1;

/** Places of the heads of a row by how far each is to the right, metres. */
export function rowOf(widths: readonly number[]): readonly RowPlace[] {
  const steps = widths.toSorted((a, b) => a - b).filter((x, i, all) => i === 0 || x - all[i - 1]! > SAME_WIDTH);
  return widths.map((x) => {
    const index = steps.findLastIndex((step) => step <= x);
    return { place: steps.length > 1 ? index / (steps.length - 1) : 0.5, index };
  });
}
