/*
 * Beats, downbeats and the starts of cues are ascending lists in every file of the contract; this is how they are searched.
 */

/** Index of the last value <= `value` in an ascending list; -1 when all are greater or there is none. */
export function lastAtOrBefore(ascending: ArrayLike<number>, value: number): number {
  let low = -1;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Index of the value nearest to `value` in an ascending list, the earlier of two as near; -1 when there is none. */
export function nearestIndex(ascending: ArrayLike<number>, value: number): number {
  const before = lastAtOrBefore(ascending, value);
  const after = before + 1;
  if (before < 0) return ascending.length > 0 ? 0 : -1;
  if (after === ascending.length) return before;
  return value - ascending[before]! <= ascending[after]! - value ? before : after;
}
