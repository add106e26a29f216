const clock = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric" });
const dayAndYear = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric" });

const plain = (text: string) => text.replaceAll("\u202f", " ");
const isSameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString();

/** Formats a time of day, for example "3:30 PM". */
export const clockOf = (at: Date): string => plain(clock.format(at));

/** Formats a time as "3:30 PM" today, "Jan 5" this year, else "Jan 5, 2025". */
export function shortTime(at: Date, now: Date = new Date()): string {
  if (isSameDay(at, now)) return clockOf(at);
  return dayOf(at, now);
}

/** Formats a date as "Jan 5" this year, else "Jan 5, 2025". */
export function dayOf(at: Date, now: Date = new Date()): string {
  return plain((at.getFullYear() === now.getFullYear() ? day : dayAndYear).format(at));
}
