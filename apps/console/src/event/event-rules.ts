import type { Event } from "@followspot/contract/event";
import { toFieldTime } from "../lib/field-time.ts";
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

/** Values of a form's date fields: "2025-01-05T15:30" in the reader's own time zone, or empty. */
export const eventRules = {
  title: limited(EVENT_LIMITS.title, (title) => title.trim() !== "" || "Title is required"),
  location: limited(EVENT_LIMITS.location),
  address: limited(EVENT_LIMITS.address),
  start: (start: string) => !Number.isNaN(Date.parse(start)) || "Start date/time is required",
  end: (end: string, { start }: { readonly start: string }) => {
    if (Number.isNaN(Date.parse(end))) return "End date/time is required";
    return !(Date.parse(end) <= Date.parse(start)) || "End date must be after start date";
  },
  places: (places: string) =>
    places === "" ||
    (/^\d+$/.test(places) && Number(places) <= MOST_PLACES) ||
    `Places must be a whole number up to ${MOST_PLACES.toLocaleString("en")}`,
  doorsClose: (close: string, { start, end, doorsOpen }: Record<"start" | "end" | "doorsOpen", string>) => {
    const opensMs = doorsOpen === "" ? Date.parse(start) - USUAL_OPENING_MS : Date.parse(doorsOpen);
    return !(Date.parse(close || end) <= opensMs) || "The doors must close after they open";
  },
  lat: coordinateWithin(90, "Latitude"),
  lng: coordinateWithin(180, "Longitude"),
} as const;

/** A coordinate as typed; what is not a number counts as 0. */
export function coordinate(text: string): number {
  const number = Number.parseFloat(text.replace(",", "."));
  return Number.isFinite(number) ? number : 0;
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
export function endFor(start: string, end: string, isTyped: boolean): string {
  const begins = Date.parse(start);
  if (Number.isNaN(begins) || (isTyped && Date.parse(end) > begins)) return end;
  return toFieldTime(new Date(begins + USUAL_LENGTH_MS));
}
