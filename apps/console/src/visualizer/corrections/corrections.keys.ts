import type { KeyTable } from "../../lib/key-table.ts";

/** While a song is corrected. */
export const TAP_KEYS = {
  tap: { keys: ["T"], does: "Correct: tap a beat" },
} as const satisfies KeyTable;

export const CORRECTION_STEPS = {
  undo: { keys: ["Ctrl+Z"], does: "Correct: undo" },
  redo: { keys: ["Ctrl+Shift+Z"], does: "Correct: redo" },
} as const satisfies KeyTable;

/** On the edge between two sections. */
export const EDGE_KEYS = {
  edgeBack: { keys: ["ArrowLeft"], does: "Correct: a section's edge a bar back" },
  edgeForth: { keys: ["ArrowRight"], does: "Correct: a section's edge a bar on" },
} as const satisfies KeyTable;
