const CLOCK: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
const DAY: Intl.DateTimeFormatOptions = { weekday: "short", day: "numeric", month: "short" };

/** Formats a time as 21:48 in the phone's time zone; empty for a missing time. */
export const clock = (iso: string | undefined): string =>
  iso === undefined ? "" : new Date(iso).toLocaleTimeString("en-GB", CLOCK);

/** Formats a time as Fri 27 Nov, 19:00; without the date if it is today. */
export function when(iso: string | undefined, now: Date = new Date()): string {
  if (iso === undefined) return "";
  const date = new Date(iso);
  const time = clock(iso);
  return date.toDateString() === now.toDateString() ? time : `${date.toLocaleDateString("en-GB", DAY)}, ${time}`;
}
