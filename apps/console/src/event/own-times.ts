import { dateTime, timeOfDay } from "../lib/formatting.ts";
import { isElsewhereAt, ownZone, zoneName } from "../lib/time-zone.ts";
import { eventStrings } from "./event.strings.ts";

/** What the reader's own clock shows at times of a form; undefined where it shows the same. */
export function ownTimes(moments: readonly (Date | undefined)[], zone: string): string | undefined {
  const known = moments.filter((at): at is Date => at !== undefined && !Number.isNaN(at.getTime()));
  if (!isElsewhereAt(zone, known)) return undefined;
  return eventStrings.ownTimes(known.map((at) => `${dateTime(at)} ${zoneName(at, ownZone())}`).join(" – "));
}

/** A moment by the event's clock, and by the reader's own where that shows something else. */
export const momentIn = (at: Date, zone: string): { readonly local: string; readonly own?: string } =>
  isElsewhereAt(zone, [at])
    ? { local: `${dateTime(at, zone)} ${zoneName(at, zone)}`, own: `${dateTime(at)} ${zoneName(at, ownZone())}` }
    : { local: dateTime(at) };

/** A time of day by the event's clock, named where the reader's own shows something else. */
export const timeIn = (at: Date, zone: string): string =>
  isElsewhereAt(zone, [at]) ? `${timeOfDay(at, zone)} ${zoneName(at, zone)}` : timeOfDay(at);

/** Longer than an evening: from here on a time of day alone would be taken for tonight's, ms. */
export const EVENING_MS = 12 * 3600_000;

/** A moment by the event's clock: its time of day while it is near, its date too where it is not. */
export const nearTimeIn = (at: Date, zone: string, now: Date): string =>
  Math.abs(at.getTime() - now.getTime()) < EVENING_MS ? timeIn(at, zone) : momentIn(at, zone).local;

/** By whose clock times of an event are, for a screen that shows many; undefined where the reader's own shows the same. */
export const clockNote = (zone: string, moments: readonly (Date | undefined)[]): string | undefined =>
  isElsewhereAt(zone, moments) ? eventStrings.clock(zone.replaceAll("_", " ")) : undefined;
