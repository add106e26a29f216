import type { KeyTable } from "../lib/key-table.ts";

/** In a message that is written. */
export const MESSAGE_KEYS = {
  send: { keys: ["Enter"], does: "Send the message" },
  line: { keys: ["Shift+Enter"], does: "A new line" },
  cancel: { keys: ["Escape"], does: "Leave a message that was edited as it was" },
} as const satisfies KeyTable;
