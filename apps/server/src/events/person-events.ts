import { create } from "@bufbuild/protobuf";
import { PersonEventSchema, type ListPersonEventsRequest } from "@followspot/contract/event";
import { ListQuerySchema } from "@followspot/contract/list";
import type { Db } from "../platform/database/database.ts";
import { notFound } from "../platform/errors.ts";
import { readPage, type ListDefinition } from "../platform/database/lists.ts";
import { timestampOf } from "../platform/database/timestamps.ts";
import { EVENT_LIST, type EventRow } from "./events.store.ts";
import type { RegistrationState } from "./registrations.store.ts";

interface PersonEventRow extends Pick<EventRow, "id" | "title" | "starts_at" | "ends_at" | "time_zone" | "deleted_at"> {
  readonly state: RegistrationState | null;
  readonly registered_at: Date | null;
  readonly checked_in_at: Date | null;
}

/** List of the events of one user, with their registration and check-in. */
const personEvents = (userId: string): ListDefinition => ({
  ...EVENT_LIST,
  columns: (db) => db`
    events.id, events.title, events.starts_at, events.ends_at, events.time_zone, events.deleted_at,
    registrations.state, registrations.registered_at, check_ins.checked_in_at`,
  from: (db) => db`events
    left join registrations on registrations.event_id = events.id and registrations.user_id = ${userId}
    left join check_ins on check_ins.event_id = events.id and check_ins.user_id = ${userId}`,
  orders: { starts_at: EVENT_LIST.orders["starts_at"]! },
  ownOrder: "starts_at desc",
  filters: {},
});

/** Answers `ListPersonEvents`. @throws not_found for an unknown user */
export async function listPersonEvents(db: Db, { userId, list }: ListPersonEventsRequest) {
  const [person] = await db`select 1 from users where id = ${userId}`;
  if (!person) throw notFound("User", userId);
  const theirs = db`events.id in (
    select event_id from registrations where user_id = ${userId}
    union all select event_id from check_ins where user_id = ${userId})`;
  const query = list ?? create(ListQuerySchema);
  const { rows, nextPageToken } = await readPage<PersonEventRow>(db, personEvents(userId), query, theirs);
  return { events: rows.map(toPersonEvent), nextPageToken };
}

const toPersonEvent = (row: PersonEventRow) =>
  create(PersonEventSchema, {
    eventId: row.id,
    title: row.title,
    startsAt: timestampOf(row.starts_at),
    endsAt: timestampOf(row.ends_at),
    deletedAt: timestampOf(row.deleted_at),
    state: row.state ?? "none",
    registeredAt: timestampOf(row.registered_at),
    checkedInAt: timestampOf(row.checked_in_at),
    timeZone: row.time_zone,
  });
