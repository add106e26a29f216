import type { EventRow } from "./events.store.ts";
import type { NamedRegistrationRow, RegistrationState } from "./registrations.store.ts";

/** Reason to reject a check-in. Door staff can override it. */
export type Refusal = "not_registered" | "waiting" | "full" | "early" | "late";

type DoorFields = Pick<EventRow, "starts_at" | "ends_at" | "doors_open_at" | "doors_close_at">;

const USUAL_OPENING_MS = 2 * 3600 * 1000;

/** Returns the check-in window. Instants, not wall times, so that midnight and DST changes need no special case. */
export const doorTimes = ({ starts_at, ends_at, doors_open_at, doors_close_at }: DoorFields) => ({
  opensAt: doors_open_at ?? new Date(starts_at.getTime() - USUAL_OPENING_MS),
  closesAt: doors_close_at ?? ends_at,
});

/**
 * Returns why the attendee cannot check in, or undefined. Registered attendees are admitted even if overrides have
 * filled the venue.
 */
export function refusalOf(
  event: DoorFields & Pick<EventRow, "registration" | "places">,
  person: { readonly registration: RegistrationState | undefined; readonly peopleIn: number; readonly at: Date },
): Refusal | undefined {
  const asks = event.registration !== "none";
  if (asks && person.registration === undefined) return "not_registered";
  if (asks && person.registration === "waiting") return "waiting";
  if (!asks && event.places > 0 && person.peopleIn >= event.places) return "full";
  const { opensAt, closesAt } = doorTimes(event);
  if (person.at < opensAt) return "early";
  return person.at > closesAt ? "late" : undefined;
}

/**
 * Explains why the attendee has no code and what to do; empty if they have one or are checked in, which takes a code.
 */
export function whyNoCode(
  registration: EventRow["registration"],
  listed: Pick<NamedRegistrationRow, "state" | "place_in_line"> | undefined,
  isIn: boolean,
): string {
  if (registration === "none" || isIn) return "";
  if (!listed) return "Register first: this event asks for it";
  return listed.state === "waiting" ? `You are on the waiting list, number ${listed.place_in_line}` : "";
}
