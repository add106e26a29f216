import type { KeyTable } from "../lib/key-table.ts";

/** Keyboard shortcuts of the universe map. */
export const UNIVERSE_KEYS = {
  move: { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"], does: "Go over the channels" },
  choose: { keys: ["Enter", "Space"], does: "Mark the light on the channel" },
} as const satisfies KeyTable;
