import type { KeyTable } from "../lib/key-table.ts";

/** Keyboard shortcuts of the aim pad. */
export const AIM_KEYS = {
  left: { keys: ["ArrowLeft"], does: "Aim a little to the left" },
  right: { keys: ["ArrowRight"], does: "Aim a little to the right" },
  up: { keys: ["ArrowUp"], does: "Aim a little higher" },
  down: { keys: ["ArrowDown"], does: "Aim a little lower" },
  leftFar: { keys: ["Shift+ArrowLeft"], does: "Aim further to the left" },
  rightFar: { keys: ["Shift+ArrowRight"], does: "Aim further to the right" },
  upFar: { keys: ["Shift+ArrowUp"], does: "Aim further up" },
  downFar: { keys: ["Shift+ArrowDown"], does: "Aim further down" },
} as const satisfies KeyTable;
