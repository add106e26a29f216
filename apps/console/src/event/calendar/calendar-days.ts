import { wallPlus, wallTimeOf } from "@followspot/contract";

/** Calendar day as a wall date, "2026-05-01", in the years 1900 to 9999. */
export type Day = string;
export type CalendarView = "month" | "week";

const DAY_S = 86_400;

export const isDay = (value: unknown): value is Day =>
  typeof value === "string" && /^(19|[2-9]\d)\d\d-\d\d-\d\d$/.test(value) && daysAfter(value, 0) === value;

/** Returns today's date by the reader's own clock. */
export const today = (now: Date = new Date()): Day => wallTimeOf(now, "").slice(0, 10);

export function daysAfter(day: Day, days: number): Day {
  const noon = Date.parse(`${day}T12:00:00Z`);
  return Number.isNaN(noon) ? "" : wallPlus(`${day}T12:00:00`, days * DAY_S).slice(0, 10);
}

/**
 * Returns the weeks that a view shows, each starting on Monday. A month includes all weeks with at least one of its
 * days.
 */
export function weeksOf(view: CalendarView, day: Day): readonly (readonly Day[])[] {
  const first = weekOf(view === "week" ? day : `${day.slice(0, 7)}-01`);
  if (view === "week") return [first];
  const weeks = [first];
  for (let next = after(first); next[0]!.slice(0, 7) === day.slice(0, 7); next = after(next)) weeks.push(next);
  return weeks;
}

/** Returns a day in the previous or next month or week. If the new month lacks that day, returns its last day. */
export function turned(view: CalendarView, day: Day, by: 1 | -1): Day {
  const next = view === "week" ? daysAfter(day, by * 7) : inNextMonth(day, by);
  return isDay(next) ? next : day;
}

function inNextMonth(day: Day, by: 1 | -1): Day {
  const first = `${day.slice(0, 7)}-01`;
  const month = daysAfter(first, by === 1 ? 31 : -1).slice(0, 7);
  const last = daysAfter(`${daysAfter(`${month}-01`, 31).slice(0, 7)}-01`, -1);
  const same = `${month}-${day.slice(8)}`;
  return same < last ? same : last;
}

function weekOf(day: Day): readonly Day[] {
  const sinceMonday = (utc(day).getUTCDay() + 6) % 7;
  return Array.from({ length: 7 }, (_, i) => daysAfter(day, i - sinceMonday));
}

const after = (week: readonly Day[]) => week.map((day) => daysAfter(day, 7));

/** Returns the title of a view: "May 2026", "May 4 – 10, 2026". */
export function titleOf(view: CalendarView, day: Day): string {
  if (view === "month") return monthFormat.format(utc(day));
  const [week = []] = weeksOf("week", day);
  return rangeFormat.formatRange(utc(week[0]!), utc(week[6]!)).replaceAll("\u2009", " ");
}

/** Formats a day as "Friday, May 1, 2026". */
export const dayName = (day: Day): string => dayFormat.format(utc(day));

/** Formats a day as "Fri, May 1". */
export const shortDayName = (day: Day): string => shortFormat.format(utc(day));

/** Formats the weekday of a day as "Fri". */
export const weekday = (day: Day): string => weekdayFormat.format(utc(day));

const utc = (day: Day) => new Date(`${day}T00:00:00Z`);

const timeZone = "UTC";
const monthFormat = new Intl.DateTimeFormat("en-US", { timeZone, month: "long", year: "numeric" });
const rangeFormat = new Intl.DateTimeFormat("en-US", { timeZone, month: "short", day: "numeric", year: "numeric" });
const dayFormat = new Intl.DateTimeFormat("en-US", { timeZone, dateStyle: "full" });
const shortFormat = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short", month: "short", day: "numeric" });
const weekdayFormat = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short" });
