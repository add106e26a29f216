/** Place of a moving head in the row of its kind, from left to right. */
export interface RowPlace {
  /** 0..1; 0.5 for a head on its own. */
  readonly place: number;
  /** Index from left to right. Heads at the same width share an index. */
  readonly index: number;
}

/** Distance from left to right within which heads count as one above another, meters. */
const SAME_WIDTH = 0.1;

/** Returns the places of the heads of a row. @param widths how far each head is to the right, meters */
export function rowOf(widths: readonly number[]): readonly RowPlace[] {
  const steps = widths.toSorted((a, b) => a - b).filter((x, i, all) => i === 0 || x - all[i - 1]! > SAME_WIDTH);
  return widths.map((x) => {
    const index = steps.findLastIndex((step) => step <= x);
    return { place: steps.length > 1 ? index / (steps.length - 1) : 0.5, index };
  });
}
