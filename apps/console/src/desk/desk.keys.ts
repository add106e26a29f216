import type { KeyTable } from "../lib/key-table.ts";

/** Shortcuts of the main controls; the names are IDs of actions, except for the master. */
export const DESK_KEYS = {
  blackout: { keys: ["B"], does: "Blackout, or light again" },
  blinder: { keys: ["F"], does: "Blinder while it is held" },
  strobe: { keys: ["S"], does: "Strobe while it is held" },
  hold: { keys: ["H"], does: "Hold the light as it is, or let it go on" },
  bigger: { keys: ["+", "="], shown: "+", does: "A step bigger" },
  calmer: { keys: ["-"], does: "A step calmer" },
  tap: { keys: ["T"], does: "Tap the tempo" },
  all: { keys: ["G"], does: "Give everything back to the show" },
  master: {
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"],
    shown: "1 to 9, 0",
    does: "Master from 10 to 90 %, and 100 %",
  },
} as const satisfies KeyTable;
