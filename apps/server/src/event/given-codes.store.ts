import type { Db } from "../platform/database.ts";
import { attendeeCode, tidyCode, type Attendee } from "./attendee-codes.ts";

/** On a venue server: returns the attendee of a code that the office issued for the current event. */
export async function findGivenCode(db: Db, text: string): Promise<Attendee | undefined> {
  const [row] = await db<{ event_id: string; user_id: string }[]>`
    select event_id, user_id from box_codes where code = ${tidyCode(text)}`;
  return row && { eventId: row.event_id, userId: row.user_id };
}

/** On a venue server: returns the codes that the office issued, by user ID. */
export async function givenCodes(
  db: Db,
  eventId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db<{ user_id: string; code: string }[]>`
    select user_id, code from box_codes where event_id = ${eventId} and user_id = any(${[...userIds]})`;
  return new Map(rows.map(({ user_id, code }) => [user_id, code]));
}

/** Returns the code of one attendee: the one that the office issued, otherwise the one that this server signs. */
export async function codeFor(db: Db, key: Uint8Array, attendee: Attendee): Promise<string> {
  const given = (await givenCodes(db, attendee.eventId, [attendee.userId])).get(attendee.userId);
  return given ?? attendeeCode(key, attendee);
}
