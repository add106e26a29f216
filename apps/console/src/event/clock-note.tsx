import type { Event } from "@followspot/contract/event";
import { toDate } from "../lib/formatting.ts";
import { clockNote } from "./own-times.ts";

/** Names the time zone of an event if it differs from the reader's own. */
export function ClockNote({ event }: { readonly event: Event | undefined }) {
  const note = event && clockNote(event.timeZone, [toDate(event.startsAt), toDate(event.endsAt)]);
  return note && <span className="text-xs text-muted">{note}</span>;
}
