import type { KeyTable } from "../../lib/key-table.ts";

/** The same on every screen that controls what plays. */
export const QUEUE_KEYS = {
  pause: { keys: ["Space", "P"], does: "Pause or resume" },
  next: { keys: ["N"], does: "Play the next song" },
} as const satisfies KeyTable;
