import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/database/ids.ts";
import type { ListDefinition } from "../platform/database/lists.ts";
import type { Attendee } from "./attendee-codes.ts";
import type { Refusal } from "./doors.ts";
import type { RegistrationState } from "./registrations.store.ts";

export interface CheckInRow {
  readonly id: string;
  readonly event_id: string;
  readonly user_id: string;
  readonly checked_in_at: Date;
  readonly checked_in_by: string | null;
  /** Rejection that door staff overrode; empty if there was none. */
  readonly admitted: Refusal | "";
  /** Name that the scanning door gave itself; empty without one. */
  readonly door: string;
}

/** Check-in with the names of the attendee and of the member who scanned. */
export interface NamedCheckInRow extends CheckInRow {
  readonly user_name: string;
  readonly scanner_name: string | null;
  /** Empty if the event does not require registration. */
  readonly registration: RegistrationState | "none" | "";
}

export interface AttendeeRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly checked_in_at: Date | null;
  readonly scanner_name: string | null;
  /** Empty if the event does not require registration. */
  readonly registration: RegistrationState | "none" | "";
  /** Rejection that door staff overrode; empty if there was none. */
  readonly admitted: Refusal | "";
}

/** Check-ins, newest first. Users who were deleted later are included. */
export const CHECK_IN_LIST: ListDefinition = {
  columns: (db) => db`check_ins.*, users.name as user_name, scanners.name as scanner_name,
    case when events.registration = 'none' then '' else coalesce(registrations.state, 'none') end as registration`,
  from: (db) => db`check_ins join users on users.id = check_ins.user_id join events on events.id = check_ins.event_id
    left join users scanners on scanners.id = check_ins.checked_in_by
    left join registrations
      on registrations.event_id = check_ins.event_id and registrations.user_id = check_ins.user_id`,
  id: (db) => db`check_ins.id`,
  idType: "text",
  orders: {
    checked_in_at: { by: (db) => db`check_ins.checked_in_at`, type: "timestamptz" },
    name: { by: (db) => db`lower(users.name)`, type: "text" },
  },
  ownOrder: "checked_in_at desc",
  filters: {
    registered: (db) => db`registrations.state = 'registered'`,
    unregistered: (db) => db`registrations.state is distinct from 'registered'`,
    admitted: (db) => db`check_ins.admitted <> ''`,
  },
  searched: (db) => db`users.searched`,
};

/**
 * List of the users who may attend an event: members who are not scripts. Scope the query to {@link isAttendee}.
 *
 * @param asksFor whether the event requires registration
 */
export const attendeeList = (eventId: string, asksFor: boolean): ListDefinition => ({
  columns: (db) => db`users.id, users.name, users.email, users.phone, check_ins.checked_in_at,
    coalesce(check_ins.admitted, '') as admitted, scanners.name as scanner_name,
    ${asksFor ? db`coalesce(registrations.state, 'none')` : db`''`} as registration`,
  from: (db) => db`users left join check_ins on check_ins.user_id = users.id and check_ins.event_id = ${eventId}
    left join users scanners on scanners.id = check_ins.checked_in_by
    left join registrations on registrations.user_id = users.id and registrations.event_id = ${eventId}`,
  id: (db) => db`users.id`,
  idType: "text",
  orders: { name: { by: (db) => db`lower(users.name)`, type: "text" }, created_at: "id" },
  ownOrder: "name",
  filters: {
    checked_in: (db) => db`check_ins.id is not null`,
    missing: (db) => db`check_ins.id is null`,
    registered: (db) => db`registrations.state = 'registered'`,
    waiting: (db) => db`registrations.state = 'waiting'`,
  },
  searched: (db) => db`users.searched`,
});

/**
 * Condition for rows of {@link attendeeList}. If the event requires registration, only users with one are attendees, and
 * users whom door staff admitted without one.
 */
export const isAttendee = (db: Db, asksFor: boolean) => db`
  users.deleted_at is null and not users.is_script
  and ${asksFor ? db`(registrations.id is not null or check_ins.id is not null)` : db`true`}`;

/** Locks a user, deleted or not, so that their check-ins change one at a time. */
export async function holdPerson(db: Db, id: string) {
  const [row] = await db<{ name: string; deleted_at: Date | null; is_script: boolean }[]>`
    select name, deleted_at, is_script from users where id = ${id} for no key update`;
  return row;
}

/** Inserts a check-in; returns undefined if the user is already checked in. */
export async function insertCheckIn(db: Db, fields: Omit<CheckInRow, "id">) {
  const [row] = await db<CheckInRow[]>`
    insert into check_ins ${db({ id: newId(), ...fields })} on conflict (event_id, user_id, community_id) do nothing returning *`;
  return row;
}

export async function findCheckIn(db: Db, { eventId, userId }: Attendee): Promise<NamedCheckInRow | undefined> {
  const [row] = await db<NamedCheckInRow[]>`
    select ${CHECK_IN_LIST.columns(db)} from ${CHECK_IN_LIST.from(db)}
    where check_ins.event_id = ${eventId} and check_ins.user_id = ${userId}`;
  return row;
}

export async function countPeopleIn(db: Db, eventId: string): Promise<number> {
  const [row] = await db<{ people: number }[]>`
    select count(*)::int as people from check_ins where event_id = ${eventId}`;
  return row!.people; // a count always returns a row
}

/** Deletes a check-in and returns it; undefined if there was none. */
export async function removeCheckIn(db: Db, { eventId, userId }: Attendee): Promise<CheckInRow | undefined> {
  const [row] = await db<CheckInRow[]>`
    delete from check_ins where event_id = ${eventId} and user_id = ${userId} returning *`;
  return row;
}
