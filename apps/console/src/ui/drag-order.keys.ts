import type { KeyTable } from "../lib/key-table.ts";

/** Shortcuts on the drag handle of a row. */
export const DRAG_KEYS = {
  lift: { keys: ["Space", "Enter"], does: "Pick up the row at its handle" },
  move: { keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"], does: "Move it" },
  drop: { keys: ["Space", "Enter", "Tab"], does: "Put it down" },
  cancel: { keys: ["Escape"], does: "Put it back where it was" },
} as const satisfies KeyTable;
