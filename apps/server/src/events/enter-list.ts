import type { Entry } from "../platform/database/change.ts";
import type { Db, Tx } from "../platform/database/database.ts";
import { conflict } from "../platform/errors.ts";
import { doorTimes } from "./doors.ts";
import { countedEntry } from "./event-message.ts";
import { findEvent, holdEvent, type EventRow } from "./events.store.ts";
import { isInvitation } from "./invitation.ts";
import { freePlaces, registrationEntry } from "./move-up.ts";
import { findRegistration, insertRegistration } from "./registrations.store.ts";

/** Maximum length of a waitlist. */
const MOST_WAITING = 10_000;

/** @throws failed_precondition if the doors have closed, or the event requires another key */
export async function requireMayRegister(db: Db, secret: Uint8Array, event: EventRow, key: string): Promise<void> {
  if (doorTimes(event).closesAt < new Date())
    throw conflict("Registration is closed: the doors of this event have closed");
  if (event.registration !== "invitation" || (await isInvitation(db, secret, event.id, key))) return;
  if (key === "") throw conflict("This event is by invitation: open the link you were given");
  throw conflict("This invitation is not valid any more: ask for a new link");
}

/** Adds a user to the list of a locked event. @returns entries to publish */
export async function enterList(
  tx: Tx,
  event: EventRow,
  userId: string,
  { hasPlace, isOwn }: { readonly hasPlace: boolean; readonly isOwn: boolean },
): Promise<readonly Entry[]> {
  if (!hasPlace && event.waiting >= MOST_WAITING)
    throw conflict(`The waiting list of this event is full: ${MOST_WAITING.toLocaleString("en")} people wait`);
  const state = hasPlace ? "registered" : "waiting";
  const made = await insertRegistration(tx, { event_id: event.id, user_id: userId, state });
  return [{ ...registrationEntry("created", undefined, made), isMembersOwn: isOwn }, await countedEntry(tx, event.id)];
}

/** Registration of people who sign in or sign up with the invitation link of an event. */
export interface InvitedGuests {
  /** Whether the holder of a key may sign up now, also where sign-up is closed. */
  readonly mayJoin: (db: Db, eventId: string, key: string) => Promise<boolean>;
  /**
   * Registers a user in the transaction of their sign-in. @returns entries to publish
   * @throws failed_precondition if the event takes no registration, or not with this key
   */
  readonly register: (tx: Tx, eventId: string, key: string, userId: string) => Promise<readonly Entry[]>;
}

/** @param secret signs invitation links */
export const invitedGuests = (secret: Uint8Array): InvitedGuests => ({
  mayJoin: async (db, eventId, key) => {
    if (!(await isInvitation(db, secret, eventId, key))) return false;
    const event = await findEvent(db, eventId);
    if (!event || event.deleted_at || event.registration !== "invitation") return false;
    return doorTimes(event).closesAt > new Date();
  },
  register: async (tx, eventId, key, userId) => {
    const event = await holdEvent(tx, eventId);
    if (!event || event.registration === "none") throw conflict("This event takes no registrations");
    if (await findRegistration(tx, { eventId, userId })) return [];
    await requireMayRegister(tx, secret, event, key);
    return enterList(tx, event, userId, { hasPlace: freePlaces(event) !== 0, isOwn: true });
  },
});
