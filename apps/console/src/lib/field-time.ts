import { momentOfWallTime, wallTimeOf } from "@followspot/contract";
import { dateTime } from "./formatting.ts";

/** A moment as a date field shows it, to the minute or, where it has any, the second. @param zone empty: the reader's own */
export function toFieldTime(at: Date | undefined, zone = ""): string {
  if (!at || Number.isNaN(at.getTime())) return "";
  const wall = wallTimeOf(at, zone);
  return wall.endsWith(":00") ? wall.slice(0, -3) : wall;
}

/** The moment that is typed into a date field; an invalid one where nothing is. */
export const typedMoment = (typed: string, zone = ""): Date =>
  zone === "" || Number.isNaN(Date.parse(`${typed}Z`)) ? new Date(typed) : momentOfWallTime(typed, zone);

/**
 * The moment a date field means. An hour that comes twice, and parts of a second, are not in a field: one that was left as it
 * was is still the moment it was filled from.
 */
export const momentOf = (typed: string, before: Date | undefined, zone = ""): Date =>
  before && toFieldTime(before, zone) === typed ? before : typedMoment(typed, zone);

/** What stands in a date field, as words; also an hour that the reader's own clock leaves out. */
export const typedInWords = (typed: string): string => dateTime(new Date(`${typed}Z`), "UTC");
