import { wallTimeOf } from "@followspot/contract";

/** Returns the name of the browser's time zone, such as "Europe/Berlin". */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether clocks in a zone differ from the browser's at one of these times. */
export const isElsewhereAt = (zone: string, moments: readonly (Date | undefined)[]): boolean =>
  zone !== "" && moments.some((at) => at !== undefined && wallTimeOf(at, zone) !== wallTimeOf(at, ""));

/** Returns the abbreviation of a zone at a time: "CET", "EST", "GMT+9". */
export function zoneName(at: Date, zone: string): string {
  // Short names depend on the English locale: "EST" in the United States, "CET" in Europe.
  const names = ["en-US", "en-GB", "en-AU"].map((locale) => shortName(at, zone, locale));
  return names.find((name) => !/^(GMT|UTC)[+-]/.test(name)) ?? names[0] ?? zone;
}

function shortName(at: Date, timeZone: string, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}

/** Returns the names of all zones, the given ones first. */
export const zoneNames = (first: readonly string[]): readonly string[] => [
  ...new Set([...first.filter(Boolean), ...Intl.supportedValuesOf("timeZone"), "UTC"]),
];
