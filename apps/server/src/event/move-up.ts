import type { Entry } from "../platform/change.ts";
import type { Db, Tx } from "../platform/database.ts";
import { countedEntry } from "./event-message.ts";
import { holdEvent, type EventRow } from "./events.store.ts";
import { eventsOf, fillPlaces, type RegistrationRow } from "./registrations.store.ts";

/** Free places; null where there is no limit. */
export const freePlaces = ({ places, registered }: Pick<EventRow, "places" | "registered">): number | null =>
  places === 0 ? null : Math.max(0, places - registered);

/**
 * Lets those who wait move up into free places, in the transaction that freed them.
 * @param event held, as it is now
 */
export async function moveUp(db: Db, event: EventRow): Promise<readonly Entry[]> {
  const free = freePlaces(event);
  if (event.registration === "none" || event.waiting === 0 || free === 0) return [];
  const moved = await fillPlaces(db, event.id, free);
  return moved.map((row) => ({ ...registrationEntry("moved_up", undefined, row), isMembersOwn: true }));
}

/** A person who is deleted keeps no place; to be done after they are. */
export async function leavePlaces(tx: Tx, userId: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const id of await eventsOf(tx, userId)) {
    const event = await holdEvent(tx, id);
    if (event) entries.push(...(await moveUp(tx, event)), await countedEntry(tx, id));
  }
  return entries;
}

/** Told to the doors and to the person. Without names: what is kept of a person who is purged must say nothing of them. */
export function registrationEntry(
  verb: string,
  before: RegistrationRow | undefined,
  after: RegistrationRow | undefined,
): Entry {
  const { id, event_id, user_id } = (after ?? before)!; // one of the two is there
  const payload = { event_id, user_id, state: after?.state ?? "" };
  return { noun: "registration", id, verb, before, after, payload, topics: ["registrations", `user.${user_id}`] };
}
