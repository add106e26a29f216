import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";

const UNITS = ["B", "KB", "MB", "GB"] as const;

/** Formats seconds as m:ss; "N/A" while unknown. */
export function songDuration(seconds: number): string {
  if (!(seconds > 0)) return "N/A";
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${twoDigits(whole % 60)}`;
}

/** Formats seconds as mm:ss. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${twoDigits(Math.floor(whole / 60))}:${twoDigits(whole % 60)}`;
}

/** Formats bytes in B, KB, MB or GB (base 1024) with two decimals. */
export function byteSize(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${amount.toFixed(2)} ${UNITS[unit]}`;
}

/** Formats a time like "Jan 5, 2025, 3:30 PM". @param zone time zone; empty for the browser's */
export function dateTime(at: Date, zone = ""): string {
  return formatIn(dateTimeFormat, zone).format(at).replaceAll("\u202f", " ");
}

/** Formats a time like "3:30 PM", for times of the same night. @param zone time zone; empty for the browser's */
export function timeOfDay(at: Date, zone = ""): string {
  return formatIn(timeFormat, zone).format(at).replaceAll("\u202f", " ");
}

/**
 * Formats a time with seconds, in the format of {@link timeOfDay}, as a large and a small part: "3:30" and ":05 PM".
 */
export function clockFace(now: Date, zone = ""): readonly [large: string, small: string] {
  const [hourAndMinute = "", half = ""] = timeOfDay(now, zone).split(" ");
  return [hourAndMinute, `:${twoDigits(now.getUTCSeconds())} ${half}`];
}

/** Formats an end time as "3:30 PM", with its date if that is not today. */
export const untilTime = (until: Date): string =>
  until.toDateString() === new Date().toDateString() ? timeOfDay(until) : dateTime(until);

/** Formats a time relative to now: "3 hours ago", "in 2 days". */
export function relativeTime(at: Date, now: Date = new Date()): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of RELATIVE_UNITS) {
    if (Math.abs(seconds) >= size) return relativeFormat.format(Math.trunc(seconds / size), unit);
  }
  return "just now";
}

/** Formats the time elapsed since an event: "3 hours", "1 minute"; "a moment" below one minute. */
export function timeSince(at: Date, now: Date = new Date()): string {
  const seconds = (now.getTime() - at.getTime()) / 1000;
  for (const [unit, size] of RELATIVE_UNITS) {
    if (seconds >= size) return countOf(Math.trunc(seconds / size), unit, `${unit}s`);
  }
  return "a moment";
}

export const toDate = (at: Timestamp | undefined): Date | undefined => at && timestampDate(at);

/** Formats a time as ISO 8601 for files; empty if undefined. */
export const isoTime = (at: Timestamp | undefined): string => toDate(at)?.toISOString() ?? "";

export const countOf = (n: number, one: string, many: string): string =>
  `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

const formatsOf = (options: Intl.DateTimeFormatOptions) => ({
  options,
  byZone: new Map([["", new Intl.DateTimeFormat("en-US", options)]]),
});

// Pattern 'MMM d, yyyy, h:mm a'.
const dateTimeFormat = formatsOf({
  month: "short",
  day: "numeric",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

const timeFormat = formatsOf({ hour: "numeric", minute: "2-digit" });

function formatIn({ options, byZone }: ReturnType<typeof formatsOf>, zone: string): Intl.DateTimeFormat {
  const known = byZone.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", { ...options, timeZone: zone });
  byZone.set(zone, format);
  return format;
}

const relativeFormat = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const RELATIVE_UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const twoDigits = (n: number) => String(n).padStart(2, "0");
