import type { KeyTable } from "../lib/key-table.ts";

export const TOAST_KEYS = {
  undo: { keys: ["Ctrl+Z"], does: "Take back what the newest message tells of" },
} as const satisfies KeyTable;
