import type { KeyTable } from "../../lib/key-table.ts";

/** Keys while the Correct panel is open. */
export const TAP_KEYS = {
  tap: { keys: ["T"], does: "Correct: tap a beat" },
} as const satisfies KeyTable;

export const CORRECTION_STEPS = {
  undo: { keys: ["Ctrl+Z"], does: "Correct: undo" },
  redo: { keys: ["Ctrl+Shift+Z"], does: "Correct: redo" },
} as const satisfies KeyTable;

/** Keys while the edge between two sections has the focus. */
export const EDGE_KEYS = {
  edgeBack: { keys: ["ArrowLeft"], does: "Correct: a section's edge a bar back" },
  edgeForth: { keys: ["ArrowRight"], does: "Correct: a section's edge a bar on" },
} as const satisfies KeyTable;
