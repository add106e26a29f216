import type { KeyTable } from "../lib/key-table.ts";

export const TONIGHT_KEYS = {
  announce: { keys: ["A"], does: "Announce something on the stage screen" },
  walkIn: { keys: ["W"], does: "Walk-in music on, or off" },
  blackout: { keys: ["B"], does: "Blackout, or light again" },
} as const satisfies KeyTable;
