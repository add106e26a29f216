import type { KeyTable } from "../lib/key-table.ts";

export const EVERYWHERE_KEYS = {
  palette: { keys: ["Ctrl+K"], does: "Search or jump to anything" },
  keys: { keys: ["?"], does: "Show this list of keys" },
} as const satisfies KeyTable;
