import { text } from "../lib/list-search.ts";

/** What Workers keeps in the address: the stream whose messages are open, and where in it one is. */
export interface WorkersSearch {
  readonly stream?: string | undefined;
  readonly subject?: string | undefined;
  /** `before.12`, `after.0` or `until.2026-01-05T15:30:00.000Z`; absent at the newest. */
  readonly from?: string | undefined;
}

export function workersSearch(search: Record<string, unknown>): WorkersSearch {
  return { stream: text(search["stream"]), subject: text(search["subject"]), from: text(search["from"]) };
}
