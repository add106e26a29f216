import { z } from "zod";

/**
 * Schema of a list of at most `most` items. It checks the length before any item, so that a list of a million wrong
 * items is rejected as fast as a short one; `z.array(item).max(most)` checks all items first.
 */
export const boundedList = <Item extends z.ZodType>(item: Item, most: number) =>
  z
    .custom<unknown[]>(
      (value) => Array.isArray(value) && value.length <= most,
      `must be a list of at most ${most} items`,
    )
    .pipe(z.array(item));
