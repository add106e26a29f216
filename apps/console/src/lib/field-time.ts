import { momentOfWallTime, wallTimeOf } from "@followspot/contract";
import { dateTime } from "./formatting.ts";

/**
 * Formats a time for a date field, to the minute, or to the second if it has seconds. @param zone time zone; empty for
 * the browser's
 */
export function toFieldTime(at: Date | undefined, zone = ""): string {
  if (!at || Number.isNaN(at.getTime())) return "";
  const wall = wallTimeOf(at, zone);
  return wall.endsWith(":00") ? wall.slice(0, -3) : wall;
}

/** Parses the content of a date field; an invalid date if the field is empty. */
export const typedMoment = (typed: string, zone = ""): Date =>
  zone === "" || Number.isNaN(Date.parse(`${typed}Z`)) ? new Date(typed) : momentOfWallTime(typed, zone);

/**
 * Returns the time that a date field stands for. A field cannot distinguish the two passes of a repeated hour and has
 * no fractions of a second. An unedited field therefore returns the time that it was filled from.
 */
export const momentOf = (typed: string, before: Date | undefined, zone = ""): Date =>
  before && toFieldTime(before, zone) === typed ? before : typedMoment(typed, zone);

/** Formats the content of a date field as words, also in an hour that the browser's time zone skips. */
export const typedInWords = (typed: string): string => dateTime(new Date(`${typed}Z`), "UTC");
