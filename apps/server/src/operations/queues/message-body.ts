import { hideInText, hideSecrets } from "./hide-secrets.ts";
import type { ReadMessage } from "./stream-messages.ts";

/** Longest displayed body, in bytes of JSON and text, or of stored binary data. */
export const MOST_BYTES = 64 * 1024;
const PREVIEW = 160;
const BYTES_OF_A_LINE = 16;

export interface ShownBody {
  readonly kind: "json" | "text" | "hex";
  readonly body: string;
  readonly isCut: boolean;
}

/** Returns a message's body for display, by its type, without secrets, at most 64 KB. */
export function bodyOf(message: ReadMessage): ShownBody {
  const { subject, json, text, bytes } = message;
  if (json !== undefined) return { kind: "json", ...cut(JSON.stringify(hideSecrets(subject, json), null, 2)) };
  if (text !== undefined) return { kind: "text", ...cut(hideInText(text)) };
  // Decoded as one byte per character, so that a secret between binary bytes is found as well.
  const hidden = Buffer.from(hideInText(Buffer.from(bytes).toString("latin1")), "latin1");
  return { kind: "hex", body: hexLines(hidden.subarray(0, MOST_BYTES)), isCut: hidden.length > MOST_BYTES };
}

/** Returns the start of a body on one line. */
export function previewOf(message: ReadMessage): string {
  const { subject, json, text, bytes } = message;
  if (json !== undefined) return JSON.stringify(hideSecrets(subject, json)).slice(0, PREVIEW);
  if (text !== undefined) return hideInText(text.slice(0, MOST_BYTES)).replace(/\s+/g, " ").slice(0, PREVIEW);
  return `${bytes.length} bytes`;
}

function cut(text: string): Pick<ShownBody, "body" | "isCut"> {
  const bytes = Buffer.from(text);
  if (bytes.length <= MOST_BYTES) return { body: text, isCut: false };
  // Removes an incomplete character at the end.
  const body = bytes
    .subarray(0, MOST_BYTES)
    .toString("utf8")
    .replace(/\ufffd$/, "");
  return { body, isCut: true };
}

/** Formats bytes as a hex dump: `00000010  48 65 6c 6c 6f …  Hello…` */
function hexLines(bytes: Buffer): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += BYTES_OF_A_LINE) {
    const line = bytes.subarray(at, at + BYTES_OF_A_LINE);
    const pairs = [...line].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = line.toString("latin1").replace(/[^ -~]/g, ".");
    lines.push(`${at.toString(16).padStart(8, "0")}  ${pairs.padEnd(3 * BYTES_OF_A_LINE - 1)}  ${letters}`);
  }
  return lines.join("\n");
}
