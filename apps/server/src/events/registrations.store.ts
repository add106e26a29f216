import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/database/ids.ts";
import { newLinkSeed } from "../platform/http/link-key.ts";
import type { ListDefinition } from "../platform/database/lists.ts";
import type { Attendee } from "./attendee-codes.ts";

export type RegistrationState = "registered" | "waiting";

interface RegistrationFields {
  readonly event_id: string;
  readonly user_id: string;
  readonly state: RegistrationState;
}

export interface RegistrationRow extends RegistrationFields {
  readonly id: string;
  /** Sequence number of the registration; determines the waitlist order. */
  readonly line: number;
  readonly registered_at: Date;
}

/** Registration with the user's name, waitlist position and check-in. */
export interface NamedRegistrationRow extends RegistrationRow {
  readonly user_name: string;
  readonly place_in_line: number;
  readonly checked_in_at: Date | null;
}

/** Registrations and the waitlist of events, in order of registration. Scope the query to users who are not deleted. */
export const REGISTRATION_LIST: ListDefinition = {
  columns: (db) =>
    db`registrations.*, users.name as user_name, check_ins.checked_in_at, ${placeInLine(db)} as place_in_line`,
  from: (db) => db`registrations join users on users.id = registrations.user_id
    left join check_ins on check_ins.event_id = registrations.event_id and check_ins.user_id = registrations.user_id`,
  id: (db) => db`registrations.id`,
  idType: "text",
  orders: {
    registered_at: { by: (db) => db`registrations.line`, type: "integer" },
    name: { by: (db) => db`lower(users.name)`, type: "text" },
  },
  ownOrder: "registered_at",
  filters: {
    registered: (db) => db`registrations.state = 'registered'`,
    waiting: (db) => db`registrations.state = 'waiting'`,
    checked_in: (db) => db`check_ins.id is not null`,
    missing: (db) => db`registrations.state = 'registered' and check_ins.id is null`,
  },
  searched: (db) => db`users.searched`,
};

/** Position in the waitlist, from 1, without deleted users; 0 for a registered user. */
const placeInLine = (db: Db) => db`
  case when registrations.state = 'registered' then 0 else (
    select count(*)::int from registrations ahead join users waiter on waiter.id = ahead.user_id
    where ahead.event_id = registrations.event_id and ahead.state = 'waiting' and ahead.line <= registrations.line
      and waiter.deleted_at is null
  ) end`;

export async function findRegistration(
  db: Db,
  { eventId, userId }: Attendee,
): Promise<NamedRegistrationRow | undefined> {
  const [row] = await db<NamedRegistrationRow[]>`
    select ${REGISTRATION_LIST.columns(db)} from ${REGISTRATION_LIST.from(db)}
    where registrations.event_id = ${eventId} and registrations.user_id = ${userId}`;
  return row;
}

export async function insertRegistration(db: Db, fields: RegistrationFields): Promise<RegistrationRow> {
  const [row] = await db<RegistrationRow[]>`
    insert into registrations ${db({ id: newId(), ...fields })} returning *`;
  return row!; // an insert returns its row
}

export async function givePlace(db: Db, id: string): Promise<RegistrationRow> {
  const [row] = await db<RegistrationRow[]>`
    update registrations set state = 'registered' where id = ${id} returning *`;
  return row!; // callers hold the lock of the event
}

/** Deletes a registration and returns it; undefined if there was none. */
export async function removeRegistration(db: Db, { eventId, userId }: Attendee): Promise<RegistrationRow | undefined> {
  const [row] = await db<RegistrationRow[]>`
    delete from registrations where event_id = ${eventId} and user_id = ${userId} returning *`;
  return row;
}

/**
 * Moves users up from the waitlist into free spots, in order of registration.
 *
 * @param free number of free spots; null without a limit
 */
export async function fillPlaces(db: Db, eventId: string, free: number | null): Promise<readonly RegistrationRow[]> {
  return db<RegistrationRow[]>`
    update registrations set state = 'registered' where id in (
      select registrations.id from registrations join users on users.id = registrations.user_id
      where event_id = ${eventId} and state = 'waiting' and users.deleted_at is null
      order by line limit ${free}
    ) returning *`;
}

/** Returns the IDs of the events that have not ended and that the user is registered or waitlisted for. */
export async function eventsOf(db: Db, userId: string): Promise<readonly string[]> {
  const rows = await db<{ id: string }[]>`
    select events.id from registrations join events on events.id = registrations.event_id
    where registrations.user_id = ${userId} and events.ends_at > now() order by events.id`;
  return rows.map(({ id }) => id);
}

/** Returns the seed of the event's invitation link; undefined if there is none. */
export async function findInvitation(db: Db, eventId: string): Promise<Buffer | undefined> {
  const [row] = await db<{ seed: Buffer }[]>`select seed from event_invitations where event_id = ${eventId}`;
  return row?.seed;
}

/** Creates the invitation link of an event by invitation that has none. */
export async function ensureInvitation(
  db: Db,
  { id, registration }: { readonly id: string; readonly registration: string },
): Promise<void> {
  if (registration !== "invitation") return;
  await db`
    insert into event_invitations (event_id, seed) values (${id}, ${newLinkSeed()})
    on conflict (event_id, community_id) do nothing`;
}

/** Replaces the invitation link of an event. */
export async function renewInvitation(db: Db, eventId: string, seed: Buffer): Promise<void> {
  await db`
    insert into event_invitations (event_id, seed) values (${eventId}, ${seed})
    on conflict (event_id, community_id) do update set seed = excluded.seed, created_at = now()`;
}
