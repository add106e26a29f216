import type { KeyTable } from "../lib/key-table.ts";

/** Keyboard shortcuts of the offset slider. Arrow keys move it by 1 ms. */
export const OFFSET_KEYS = {
  later: { keys: ["PageUp"], does: "10 ms more" },
  earlier: { keys: ["PageDown"], does: "10 ms less" },
} as const satisfies KeyTable;
