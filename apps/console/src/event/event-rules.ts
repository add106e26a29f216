import { wallPlus } from "@followspot/contract";
import type { Event } from "@followspot/contract/event";
import { toFieldTime, typedMoment } from "../lib/field-time.ts";
import { toDate } from "../lib/formatting.ts";
import { limited } from "../lib/text-limits.ts";

/** Maximum number of characters in the fields of an event. */
export const EVENT_LIMITS = { title: 300, location: 300, address: 500 } as const;

const coordinateWithin = (most: number, name: string) => (typed: string) =>
  Math.abs(coordinate(typed)) <= most || `${name} must be between -${most} and ${most}`;

/** Maximum capacity of an event. */
export const MOST_PLACES = 100_000;
const USUAL_OPENING_MS = 2 * 3600 * 1000;

/** Returns whether the event uses registration; if so, only registered attendees have a code. */
export const asksForRegistration = (event: Event | undefined): boolean =>
  event !== undefined && event.registration !== "" && event.registration !== "none";

/** Returns the check-in window. Instants, not wall times, so that midnight and DST changes need no special case. */
export function doorTimes({ startsAt, endsAt, doorsOpenAt, doorsCloseAt }: Event) {
  const start = toDate(startsAt);
  return {
    opensAt: toDate(doorsOpenAt) ?? (start && new Date(start.getTime() - USUAL_OPENING_MS)),
    closesAt: toDate(doorsCloseAt) ?? toDate(endsAt),
  };
}

/** Time zone of the times in a form; the reader's own if missing or empty. */
interface Clock {
  readonly timeZone?: string;
}

const typedMs = (typed: string, { timeZone = "" }: Clock) => typedMoment(typed, timeZone).getTime();

/** Values of a form's date fields: "2025-01-05T15:30" by the form's clock, or empty. */
export const eventRules = {
  title: limited(EVENT_LIMITS.title, (title) => title.trim() !== "" || "Title is required"),
  location: limited(EVENT_LIMITS.location),
  address: limited(EVENT_LIMITS.address),
  start: (start: string) => !Number.isNaN(Date.parse(start)) || "Start date/time is required",
  end: (end: string, fields: Clock & { readonly start: string }) => {
    if (Number.isNaN(Date.parse(end))) return "End date/time is required";
    return !(typedMs(end, fields) <= typedMs(fields.start, fields)) || "End date must be after start date";
  },
  places: (places: string) =>
    places === "" ||
    (/^\d+$/.test(places) && Number(places) <= MOST_PLACES) ||
    `Places must be a whole number up to ${MOST_PLACES.toLocaleString("en")}`,
  doorsClose: (close: string, fields: Clock & Record<"start" | "end" | "doorsOpen", string>) => {
    const { start, end, doorsOpen } = fields;
    const opensMs = doorsOpen === "" ? typedMs(start, fields) - USUAL_OPENING_MS : typedMs(doorsOpen, fields);
    return !(typedMs(close || end, fields) <= opensMs) || "The doors must close after they open";
  },
  lat: coordinateWithin(90, "Latitude"),
  lng: coordinateWithin(180, "Longitude"),
} as const;

/** Parses a coordinate; text that is not a number counts as 0. */
export function coordinate(text: string): number {
  const number = Number.parseFloat(text.replace(",", "."));
  return Number.isFinite(number) ? number : 0;
}

/**
 * Parses two coordinates in one text: "48.85, 2.35". "48,85" is a single coordinate with a decimal comma.
 * @returns undefined if there are not two coordinates
 */
export function coordinatePair(text: string): { readonly lat: string; readonly lng: string } | undefined {
  const [, lat = "", between = "", lng = ""] =
    /^\s*(-?\d+(?:\.\d+)?)(\s*[,;]\s*|\s+)(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  const isOne = between === "," && !(lat.includes(".") && lng.includes("."));
  return lat === "" || isOne ? undefined : { lat, lng };
}

/** Formats coordinates for the form. 0, 0 means an event without a location, and is shown as empty. */
export const fieldCoordinates = ({ lat, lng }: { readonly lat: number; readonly lng: number }) =>
  lat === 0 && lng === 0 ? { lat: "", lng: "" } : { lat: String(lat), lng: String(lng) };

const USUAL_LENGTH_MS = 2 * 3600 * 1000;

/**
 * Returns the end for a start: two hours later. An end chosen by the user stays, unless it is not after the start.
 * @param end current value of the form, or empty
 * @param isTyped whether the user chose the end
 */
export function endFor(start: string, end: string, isTyped: boolean, timeZone = ""): string {
  const begins = typedMs(start, { timeZone });
  if (Number.isNaN(begins) || (isTyped && typedMs(end, { timeZone }) > begins)) return end;
  return toFieldTime(new Date(begins + USUAL_LENGTH_MS), timeZone);
}

const WEEK_S = 7 * 86_400;

/** Returns start and end one week later, at the same weekday and time by the event's own clock, as form values. */
export function weekLater({ startsAt, endsAt, timeZone }: Event): { readonly start: string; readonly end: string } {
  const later = (at: Date | undefined) => {
    const now = toFieldTime(at, timeZone);
    return now && wallPlus(now, WEEK_S).slice(0, now.length);
  };
  return { start: later(toDate(startsAt)), end: later(toDate(endsAt)) };
}

/** Returns the length of an event, ms. */
export const lengthOf = ({ startsAt, endsAt }: Event): number =>
  (toDate(endsAt)?.getTime() ?? 0) - (toDate(startsAt)?.getTime() ?? 0);
