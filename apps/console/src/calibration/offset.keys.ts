import type { KeyTable } from "../lib/key-table.ts";

/** On the slider of an offset; arrows move it by a millisecond. */
export const OFFSET_KEYS = {
  later: { keys: ["PageUp"], does: "10 ms more" },
  earlier: { keys: ["PageDown"], does: "10 ms less" },
} as const satisfies KeyTable;
