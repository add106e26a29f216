import type { KeyTable } from "../../lib/key-table.ts";

/** Shortcuts of the show queue, the same on every screen that controls it. */
export const QUEUE_KEYS = {
  pause: { keys: ["Space", "P"], does: "Pause or resume" },
  next: { keys: ["N"], does: "Play the next song" },
} as const satisfies KeyTable;
