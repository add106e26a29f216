import { wallPlus } from "@followspot/contract";
import type { Event } from "@followspot/contract/event";
import { toFieldTime, typedMoment } from "../lib/field-time.ts";
import { toDate } from "../lib/formatting.ts";
import { limited } from "../lib/text-limits.ts";

/** Characters that fit into the fields of an event. */
export const EVENT_LIMITS = { title: 300, location: 300, address: 500 } as const;

const coordinateWithin = (most: number, name: string) => (typed: string) =>
  Math.abs(coordinate(typed)) <= most || `${name} must be between -${most} and ${most}`;

/** People who fit into an event at most. */
export const MOST_PLACES = 100_000;
const USUAL_OPENING_MS = 2 * 3600 * 1000;

/** Only people with a place have a code then. */
export const asksForRegistration = (event: Event | undefined): boolean =>
  event !== undefined && event.registration !== "" && event.registration !== "none";

/** When codes are let in: moments, so that midnight and a change of daylight time make no difference. */
export function doorTimes({ startsAt, endsAt, doorsOpenAt, doorsCloseAt }: Event) {
  const start = toDate(startsAt);
  return {
    opensAt: toDate(doorsOpenAt) ?? (start && new Date(start.getTime() - USUAL_OPENING_MS)),
    closesAt: toDate(doorsCloseAt) ?? toDate(endsAt),
  };
}

/** By whose clock times of a form are typed; left out or empty: the reader's own. */
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

/** A coordinate as typed; what is not a number counts as 0. */
export function coordinate(text: string): number {
  const number = Number.parseFloat(text.replace(",", "."));
  return Number.isFinite(number) ? number : 0;
}

/**
 * Both coordinates in one text: "48.85, 2.35". "48,85" is one of them, with a comma for its point.
 * @returns undefined where there are not two
 */
export function coordinatePair(text: string): { readonly lat: string; readonly lng: string } | undefined {
  const [, lat = "", between = "", lng = ""] =
    /^\s*(-?\d+(?:\.\d+)?)(\s*[,;]\s*|\s+)(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  const isOne = between === "," && !(lat.includes(".") && lng.includes("."));
  return lat === "" || isOne ? undefined : { lat, lng };
}

/** Coordinates as the form shows them: 0, 0 is what an event without a place has. */
export const fieldCoordinates = ({ lat, lng }: { readonly lat: number; readonly lng: number }) =>
  lat === 0 && lng === 0 ? { lat: "", lng: "" } : { lat: String(lat), lng: String(lng) };

const USUAL_LENGTH_MS = 2 * 3600 * 1000;

/**
 * The end that goes with a start: two hours later. One typed by hand stays, unless it is not after the start.
 * @param end as the form has it now, or empty
 * @param isTyped whether a person chose it
 */
export function endFor(start: string, end: string, isTyped: boolean, timeZone = ""): string {
  const begins = typedMs(start, { timeZone });
  if (Number.isNaN(begins) || (isTyped && typedMs(end, { timeZone }) > begins)) return end;
  return toFieldTime(new Date(begins + USUAL_LENGTH_MS), timeZone);
}

const WEEK_S = 7 * 86_400;

/** The same weekday and time a week later by the event's own clock, as fields of a form. */
export function weekLater({ startsAt, endsAt, timeZone }: Event): { readonly start: string; readonly end: string } {
  const later = (at: Date | undefined) => {
    const now = toFieldTime(at, timeZone);
    return now && wallPlus(now, WEEK_S).slice(0, now.length);
  };
  return { start: later(toDate(startsAt)), end: later(toDate(endsAt)) };
}

/** In milliseconds. */
export const lengthOf = ({ startsAt, endsAt }: Event): number =>
  (toDate(endsAt)?.getTime() ?? 0) - (toDate(startsAt)?.getTime() ?? 0);
