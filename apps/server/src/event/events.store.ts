import { ulid } from "ulid";
import type { Db } from "../platform/database.ts";
import { likePattern, type Page, type PageRequest } from "../platform/pages.ts";

export interface EventRow {
  readonly id: string;
  readonly title: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly location: string;
  readonly address: string;
  readonly lat: number;
  readonly lng: number;
  readonly image_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

export interface EventFields {
  readonly title: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly location: string;
  readonly address: string;
  readonly lat: number;
  readonly lng: number;
  readonly image_id?: string;
}

/** By start. */
export async function listEvents(
  db: Db,
  request: PageRequest & { readonly includeDeleted: boolean },
): Promise<Page<EventRow>> {
  const pattern = likePattern(request.query);
  const matching = db`
    (${request.includeDeleted} or deleted_at is null)
    and (${pattern}::text is null or title ilike ${pattern} or location ilike ${pattern} or address ilike ${pattern})`;
  const [startMs, id] = request.after;
  const after = id === undefined ? db`` : db`and (starts_at, id) > (${new Date(Number(startMs))}, ${id})`;
  const rows = await db<EventRow[]>`
    select * from events where ${matching} ${after}
    order by starts_at, id limit ${request.size === 0 ? null : request.size + 1}`;
  const [total] = await db<{ count: number }[]>`select count(*)::int as count from events where ${matching}`;
  return { rows, total: total!.count }; // count(*) always has a row
}

export async function findEvent(db: Db, id: string): Promise<EventRow | undefined> {
  const [row] = await db<EventRow[]>`select * from events where id = ${id}`;
  return row;
}

/** The same, held until the transaction ends. */
export async function lockEvent(db: Db, id: string): Promise<EventRow | undefined> {
  const [row] = await db<EventRow[]>`select * from events where id = ${id} for update`;
  return row;
}

export async function insertEvent(db: Db, fields: EventFields): Promise<EventRow> {
  const [row] = await db<EventRow[]>`insert into events ${db({ id: ulid(), ...fields })} returning *`;
  return row!; // an insert returns its row
}

export async function updateEvent(db: Db, id: string, fields: Partial<EventFields>): Promise<EventRow> {
  const [row] = await db<EventRow[]>`
    update events set ${db({ ...fields, updated_at: new Date() })} where id = ${id} returning *`;
  return row!; // callers hold the row
}

export async function setEventDeleted(db: Db, id: string, deleted: boolean): Promise<EventRow> {
  const [row] = await db<EventRow[]>`
    update events set deleted_at = case when ${deleted} then now() end, updated_at = now() where id = ${id} returning *`;
  return row!; // callers hold the row
}
