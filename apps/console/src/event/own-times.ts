import { dateTime, timeOfDay } from "../lib/formatting.ts";
import { isElsewhereAt, ownZone, zoneName } from "../lib/time-zone.ts";
import { eventStrings } from "./event.strings.ts";

/** Returns the form's times by the reader's own clock; undefined if both clocks show the same. */
export function ownTimes(moments: readonly (Date | undefined)[], zone: string): string | undefined {
  const known = moments.filter((at): at is Date => at !== undefined && !Number.isNaN(at.getTime()));
  if (!isElsewhereAt(zone, known)) return undefined;
  return eventStrings.ownTimes(known.map((at) => `${dateTime(at)} ${zoneName(at, ownZone())}`).join(" – "));
}

/** Formats a time by the event's clock, and by the reader's own if it differs. */
export const momentIn = (at: Date, zone: string): { readonly local: string; readonly own?: string } =>
  isElsewhereAt(zone, [at])
    ? { local: `${dateTime(at, zone)} ${zoneName(at, zone)}`, own: `${dateTime(at)} ${zoneName(at, ownZone())}` }
    : { local: dateTime(at) };

/** Formats a time of day by the event's clock, with the time zone if the reader's own clock differs. */
export const timeIn = (at: Date, zone: string): string =>
  isElsewhereAt(zone, [at]) ? `${timeOfDay(at, zone)} ${zoneName(at, zone)}` : timeOfDay(at);

/** Distance from now, ms, from which a time of day alone would be mistaken for tonight's. */
export const EVENING_MS = 12 * 3600_000;

/** Formats a time by the event's clock: the time of day if it is near, otherwise with the date. */
export const nearTimeIn = (at: Date, zone: string, now: Date): string =>
  Math.abs(at.getTime() - now.getTime()) < EVENING_MS ? timeIn(at, zone) : momentIn(at, zone).local;

/**
 * Returns a note with the time zone of an event, for screens with many times; undefined if the reader's own clock shows
 * the same.
 */
export const clockNote = (zone: string, moments: readonly (Date | undefined)[]): string | undefined =>
  isElsewhereAt(zone, moments) ? eventStrings.clock(zone.replaceAll("_", " ")) : undefined;
