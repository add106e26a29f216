import type { Entry } from "../platform/database/change.ts";
import type { Db, Tx } from "../platform/database/database.ts";
import { countedEntry } from "./event-message.ts";
import { holdEvent, type EventRow } from "./events.store.ts";
import { eventsOf, fillPlaces, type RegistrationRow } from "./registrations.store.ts";

/** Returns the number of free spots; null without a limit. */
export const freePlaces = ({ places, registered }: Pick<EventRow, "places" | "registered">): number | null =>
  places === 0 ? null : Math.max(0, places - registered);

/**
 * Moves attendees up from the waitlist into free spots, in the transaction that freed them.
 *
 * @param event locked, with its current counts
 */
export async function moveUp(db: Db, event: EventRow): Promise<readonly Entry[]> {
  const free = freePlaces(event);
  if (event.registration === "none" || event.waiting === 0 || free === 0) return [];
  const moved = await fillPlaces(db, event.id, free);
  return moved.map((row) => ({ ...registrationEntry("moved_up", undefined, row), isMembersOwn: true }));
}

/** Frees the spots of a user; call it after the user is deleted. @returns entries to publish */
export async function leavePlaces(tx: Tx, userId: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const id of await eventsOf(tx, userId)) {
    const event = await holdEvent(tx, id);
    if (event) entries.push(...(await moveUp(tx, event)), await countedEntry(tx, id));
  }
  return entries;
}

/**
 * Entry for doors and for the attendee. Holds no names, so that it can stay in the audit log when the user is purged.
 */
export function registrationEntry(
  verb: string,
  before: RegistrationRow | undefined,
  after: RegistrationRow | undefined,
): Entry {
  const { id, event_id, user_id } = (after ?? before)!; // at least one is defined
  const payload = { event_id, user_id, state: after?.state ?? "" };
  return { noun: "registration", id, verb, before, after, payload, topics: ["registrations", `user.${user_id}`] };
}
