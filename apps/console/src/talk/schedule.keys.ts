import type { KeyTable } from "../lib/key-table.ts";

/** On a talk of the schedule. */
export const SCHEDULE_KEYS = {
  lift: { keys: ["Space", "Enter"], does: "Pick up the talk, or put it down" },
  later: { keys: ["ArrowDown", "ArrowRight"], does: "5 minutes later" },
  earlier: { keys: ["ArrowUp", "ArrowLeft"], does: "5 minutes earlier" },
  cancel: { keys: ["Escape"], does: "Put it back where it was" },
  remove: { keys: ["Delete", "Backspace"], does: "Take it off the schedule" },
} as const satisfies KeyTable;
