import type { KeyTable } from "../../lib/key-table.ts";

export const CALENDAR_KEYS = {
  previous: { keys: ["ArrowLeft"], does: "The month or week before" },
  next: { keys: ["ArrowRight"], does: "The next month or week" },
  today: { keys: ["T"], does: "Today" },
} as const satisfies KeyTable;
