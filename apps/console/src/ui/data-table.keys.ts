import type { KeyTable } from "../lib/key-table.ts";

/** Shortcuts on a row of a table. */
export const TABLE_KEYS = {
  down: { keys: ["ArrowDown"], does: "The next row" },
  up: { keys: ["ArrowUp"], does: "The row before" },
  pageDown: { keys: ["PageDown"], does: "A screen further down" },
  pageUp: { keys: ["PageUp"], does: "A screen further up" },
  first: { keys: ["Home"], does: "The first row" },
  last: { keys: ["End"], does: "The last row" },
  select: { keys: ["Space"], does: "Select the row, or not" },
  open: { keys: ["Enter"], does: "Open the row" },
} as const satisfies KeyTable;
