import type { KeyTable } from "../lib/key-table.ts";

/** Keyboard shortcuts while writing or editing a message. */
export const MESSAGE_KEYS = {
  send: { keys: ["Enter"], does: "Send the message" },
  line: { keys: ["Shift+Enter"], does: "A new line" },
  cancel: { keys: ["Escape"], does: "Leave a message that was edited as it was" },
} as const satisfies KeyTable;
