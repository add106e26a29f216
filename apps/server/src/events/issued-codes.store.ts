import { randomInt } from "node:crypto";
import { readShortCode, SHORT_CODE_ALPHABET, SHORT_CODE_LENGTH } from "@followspot/contract";
import type { Db } from "../platform/database/database.ts";
import { databaseFault } from "../platform/database/database-fault.ts";
import { attendeeCode, readAttendeeCode, tidyCode, type Attendee, type ReadCode } from "./attendee-codes.ts";

/** Codes of one attendee of an event. */
export interface IssuedCodes {
  /** Text of the QR code. */
  readonly code: string;
  /** Six characters to read out and type. */
  readonly shortCode: string;
}

/** Maximum number of draws for a free short code. One draw collides with a probability of 0.002 % in an event of 5,000. */
const MOST_DRAWS = 10;

/**
 * Returns the codes of attendees by user ID. On a venue server these are the codes that the office issued; for other
 * attendees the server signs the code and draws a short code once. Short codes are empty while the database takes no
 * changes.
 */
export async function codesFor(
  db: Db,
  key: Uint8Array,
  eventId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, IssuedCodes>> {
  for (let draws = 0; ; draws++) {
    const codes = await readCodes(db, key, eventId, userIds);
    const without = userIds.filter((id) => codes.get(id)!.shortCode === ""); // one entry per requested ID
    if (without.length === 0 || draws === MOST_DRAWS) return codes;
    try {
      await drawShortCodes(db, eventId, without);
    } catch (error) {
      // A database that takes no changes still shows QR codes.
      if (!["full", "read-only"].includes(databaseFault(error) ?? "")) throw error;
      return codes;
    }
  }
}

/** Returns the same as {@link codesFor}, for read-only transactions: short codes not drawn yet are empty. */
export async function readCodes(
  db: Db,
  key: Uint8Array,
  eventId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, IssuedCodes>> {
  const rows = await db<{ user_id: string; code: string | null; short_code: string | null }[]>`
    select asked.user_id, given.code, coalesce(given.short_code, drawn.short_code) as short_code
    from unnest(${[...userIds]}::text[]) as asked (user_id)
    left join box_codes given on given.event_id = ${eventId} and given.user_id = asked.user_id
    left join short_codes drawn on drawn.event_id = ${eventId} and drawn.user_id = asked.user_id`;
  return new Map(
    rows.map(({ user_id: userId, code, short_code }) => [
      userId,
      { code: code ?? attendeeCode(key, { eventId, userId }), shortCode: short_code ?? "" },
    ]),
  );
}

/** Returns the codes of one attendee. */
export async function codeFor(db: Db, key: Uint8Array, { eventId, userId }: Attendee): Promise<IssuedCodes> {
  return (await codesFor(db, key, eventId, [userId])).get(userId)!; // one entry per requested ID
}

/** Returns the attendee of a scanned or typed code, or why it is no valid code. */
export async function attendeeOf(db: Db, key: Uint8Array, eventId: string, text: string): Promise<ReadCode> {
  const short = readShortCode(text);
  if (short) return (await findByShortCode(db, eventId, short)) ?? "unknown";
  const read = readAttendeeCode(key, text);
  return read === "forged" ? ((await findGivenCode(db, text)) ?? read) : read;
}

/** On a venue server: returns the attendee of a code that the office issued for the current event. */
async function findGivenCode(db: Db, text: string): Promise<Attendee | undefined> {
  const [row] = await db<{ event_id: string; user_id: string }[]>`
    select event_id, user_id from box_codes where code = ${tidyCode(text)}`;
  return row && { eventId: row.event_id, userId: row.user_id };
}

async function findByShortCode(db: Db, eventId: string, short: string): Promise<Attendee | undefined> {
  const [row] = await db<{ user_id: string }[]>`
    select user_id from box_codes where event_id = ${eventId} and short_code = ${short}
    union all
    select user_id from short_codes where event_id = ${eventId} and short_code = ${short} limit 1`;
  return row && { eventId, userId: row.user_id };
}

/**
 * Draws short codes. One that is taken inserts nothing; the caller draws again. Concurrent calls keep the first code.
 * Deleted users get none.
 */
async function drawShortCodes(db: Db, eventId: string, userIds: readonly string[]): Promise<void> {
  await db`
    insert into short_codes (event_id, user_id, short_code)
    select ${eventId}, drawn.user_id, drawn.short_code
    from unnest(${[...userIds]}::text[], ${userIds.map(drawShortCode)}::text[]) as drawn (user_id, short_code)
    where exists (select from users where id = drawn.user_id)
      and not exists (select from box_codes where event_id = ${eventId} and short_code = drawn.short_code)
    on conflict do nothing`;
}

const drawShortCode = (): string =>
  Array.from({ length: SHORT_CODE_LENGTH }, () => SHORT_CODE_ALPHABET[randomInt(SHORT_CODE_ALPHABET.length)]).join("");
