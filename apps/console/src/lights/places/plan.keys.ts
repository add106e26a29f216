import type { KeyTable } from "../../lib/key-table.ts";

/** Keyboard shortcuts of the stage plan, for the selected fixtures. */
export const PLACE_KEYS = {
  left: { keys: ["ArrowLeft"], does: "0.1 m to the left" },
  right: { keys: ["ArrowRight"], does: "0.1 m to the right" },
  back: { keys: ["ArrowUp"], does: "0.1 m towards the back" },
  front: { keys: ["ArrowDown"], does: "0.1 m towards the hall" },
  up: { keys: ["PageUp"], does: "0.1 m higher" },
  down: { keys: ["PageDown"], does: "0.1 m lower" },
  leftFar: { keys: ["Shift+ArrowLeft"], does: "0.5 m to the left" },
  rightFar: { keys: ["Shift+ArrowRight"], does: "0.5 m to the right" },
  backFar: { keys: ["Shift+ArrowUp"], does: "0.5 m towards the back" },
  frontFar: { keys: ["Shift+ArrowDown"], does: "0.5 m towards the hall" },
  upFar: { keys: ["Shift+PageUp"], does: "0.5 m higher" },
  downFar: { keys: ["Shift+PageDown"], does: "0.5 m lower" },
  turn: { keys: ["R"], does: "Turn by 15°" },
  turnBack: { keys: ["Shift+R"], does: "Turn back by 15°" },
  lean: { keys: ["L"], does: "Lean by 5°" },
  leanBack: { keys: ["Shift+L"], does: "Lean back by 5°" },
} as const satisfies KeyTable;

export const CHOICE_KEYS = {
  all: { keys: ["Ctrl+A"], does: "Choose all lamps" },
  none: { keys: ["Escape"], does: "Choose none" },
  take: { keys: ["Delete", "Backspace"], does: "Take their places away" },
} as const satisfies KeyTable;

export const PLAN_STEPS = {
  undo: { keys: ["Ctrl+Z"], does: "Undo" },
  redo: { keys: ["Ctrl+Shift+Z", "Ctrl+Y"], does: "Redo" },
} as const satisfies KeyTable;
