import { wallTimeOf } from "@followspot/contract";

/** Name of the reader's own time zone, such as "Europe/Berlin". */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether clocks of a zone show something else than the reader's own at one of these moments. */
export const isElsewhereAt = (zone: string, moments: readonly (Date | undefined)[]): boolean =>
  zone !== "" && moments.some((at) => at !== undefined && wallTimeOf(at, zone) !== wallTimeOf(at, ""));

/** "CET", "EST", "GMT+9": what a zone is called at a moment. */
export function zoneName(at: Date, zone: string): string {
  // English knows short names by region: "EST" in the United States, "CET" in Europe.
  const names = ["en-US", "en-GB", "en-AU"].map((locale) => shortName(at, zone, locale));
  return names.find((name) => !/^(GMT|UTC)[+-]/.test(name)) ?? names[0] ?? zone;
}

function shortName(at: Date, timeZone: string, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}

/** Names of zones to choose from, those given first. */
export const zoneNames = (first: readonly string[]): readonly string[] => [
  ...new Set([...first.filter(Boolean), ...Intl.supportedValuesOf("timeZone"), "UTC"]),
];
