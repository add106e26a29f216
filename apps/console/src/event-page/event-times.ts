const DAY = { weekday: "short", day: "numeric", month: "long", year: "numeric" } as const;
const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;

/** IANA name of the reader's time zone. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @param zone IANA name; empty for the reader's own */
export const clockIn = (iso: string | undefined, zone: string): string =>
  iso === undefined ? "" : new Date(iso).toLocaleTimeString("en-GB", { ...CLOCK, ...(zone && { timeZone: zone }) });

const dayIn = (iso: string, zone: string): string =>
  new Date(iso).toLocaleDateString("en-GB", { ...DAY, ...(zone && { timeZone: zone }) });

/** Formats a range as "Fri, 27 November 2026, 19:00 – 23:00"; with both dates if they differ by more than a night. */
export function rangeIn(startsAt: string, endsAt: string, zone: string): string {
  const [start, end] = [`${dayIn(startsAt, zone)}, ${clockIn(startsAt, zone)}`, clockIn(endsAt, zone)];
  const isOneNight = Date.parse(endsAt) - Date.parse(startsAt) < 18 * 3_600_000;
  return isOneNight ? `${start} – ${end}` : `${start} – ${dayIn(endsAt, zone)}, ${end}`;
}
