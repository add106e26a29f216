import { text } from "../lib/list-search.ts";

/** State of the Workers page in the URL: the stream whose messages are open, and the position in it. */
export interface WorkersSearch {
  readonly stream?: string | undefined;
  readonly subject?: string | undefined;
  /** Position: `before.12`, `after.0` or `until.2026-01-05T15:30:00.000Z`; undefined for the newest messages. */
  readonly from?: string | undefined;
}

export function workersSearch(search: Record<string, unknown>): WorkersSearch {
  return { stream: text(search["stream"]), subject: text(search["subject"]), from: text(search["from"]) };
}
