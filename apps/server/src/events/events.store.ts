import type { MusicDuringTalks } from "@followspot/contract";
import { newId } from "../platform/database/ids.ts";
import type { Db } from "../platform/database/database.ts";
import type { Fragment, ListDefinition } from "../platform/database/lists.ts";

/**
 * Who may attend: all members, members who register, or members who register through the invitation link of the event.
 */
export type RegistrationMode = "none" | "open" | "invitation";

/** Who can open the public page of an event: no one, holders of its invitation link, or everybody. */
export type PublicPage = "off" | "link" | "open";

export interface EventFields {
  readonly title: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly location: string;
  readonly address: string;
  readonly lat: number;
  readonly lng: number;
  /** Number of spots; 0 means no limit. */
  readonly places: number;
  readonly registration: RegistrationMode;
  /** Null: the default of `doorTimes`. */
  readonly doors_open_at: Date | null;
  readonly doors_close_at: Date | null;
  /** IANA name; empty if the event has none. */
  readonly time_zone: string;
  readonly music_during_talks: MusicDuringTalks;
  readonly public_page: PublicPage;
  readonly image_id?: string;
}

export interface EventRow extends Omit<EventFields, "image_id"> {
  readonly id: string;
  readonly image_id: string | null;
  readonly registered: number;
  readonly waiting: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

/** Number of users with one state on the event's list, without deleted users. */
const peopleWho = (db: Db, state: "registered" | "waiting") => db`
  case when events.registration = 'none' then 0 else (
    select count(*)::int from registrations join users on users.id = registrations.user_id
    where registrations.event_id = events.id and registrations.state = ${state} and users.deleted_at is null
  ) end`;

/** Events, ordered by start. */
export const EVENT_LIST: ListDefinition = {
  columns: (db) => db`
    events.id, events.title, events.starts_at, events.ends_at, events.location, events.address, events.lat,
    events.lng, events.places, events.registration, events.doors_open_at, events.doors_close_at, events.time_zone,
    events.music_during_talks, events.public_page, events.image_id, events.created_at, events.updated_at, events.deleted_at,
    ${peopleWho(db, "registered")} as registered, ${peopleWho(db, "waiting")} as waiting`,
  from: (db) => db`events`,
  id: (db) => db`events.id`,
  idType: "text",
  orders: {
    starts_at: { by: (db) => db`events.starts_at`, type: "timestamptz" },
    title: { by: (db) => db`lower(events.title)`, type: "text" },
    created_at: "id",
  },
  ownOrder: "starts_at",
  filters: {
    active: (db) => db`deleted_at is null`,
    upcoming: (db) => db`deleted_at is null and starts_at > now()`,
    live: (db) => db`deleted_at is null and starts_at <= now() and ends_at > now()`,
    past: (db) => db`deleted_at is null and ends_at <= now()`,
    deleted: (db) => db`deleted_at is not null`,
  },
  searched: (db) => db`events.searched`,
};

/** Condition for events that overlap a time range; an undefined end of the range is open. */
export const isOnBetween = (db: Db, from: Date | undefined, until: Date | undefined): Fragment =>
  db`${from ? db`events.ends_at > ${from}` : db`true`} and ${until ? db`events.starts_at < ${until}` : db`true`}`;

export async function findEvent(db: Db, id: string): Promise<EventRow | undefined> {
  const [row] = await db<EventRow[]>`select ${EVENT_LIST.columns(db)} from events where id = ${id}`;
  return row;
}

/** Locks an event until the transaction ends, and returns it with counts read after the lock. */
export async function lockEvent(db: Db, id: string): Promise<EventRow | undefined> {
  await db`select 1 from events where id = ${id} for update`;
  return findEvent(db, id);
}

/**
 * Locks an event that is not deleted until the transaction ends, so that its registrations change one at a time, in
 * order of request. Undefined if there is none.
 */
export async function holdEvent(db: Db, id: string): Promise<EventRow | undefined> {
  const held = await db`select 1 from events where id = ${id} and deleted_at is null for no key update`;
  return held.length === 0 ? undefined : findEvent(db, id);
}

export async function insertEvent(db: Db, fields: EventFields): Promise<EventRow> {
  const [row] = await db<EventRow[]>`
    insert into events ${db({ id: newId(), ...fields })} returning ${EVENT_LIST.columns(db)}`;
  return row!; // an insert returns its row
}

export async function updateEvent(db: Db, id: string, fields: Partial<EventFields>): Promise<EventRow> {
  const [row] = await db<EventRow[]>`
    update events set ${db({ ...fields, updated_at: new Date() })} where id = ${id}
    returning ${EVENT_LIST.columns(db)}`;
  return row!; // callers hold the row
}

export async function setEventDeleted(db: Db, id: string, deleted: boolean): Promise<EventRow> {
  const [row] = await db<EventRow[]>`
    update events set deleted_at = case when ${deleted} then now() end, updated_at = now() where id = ${id}
    returning ${EVENT_LIST.columns(db)}`;
  return row!; // callers hold the row
}
