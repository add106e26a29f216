import type { Db } from "../../platform/database/database.ts";
import type { Fragment } from "../../platform/database/lists.ts";

/** Setup steps of a new installation, in recommended order. */
export const STEPS = ["owner", "lamps", "output", "song", "light", "event", "people"] as const;
export type StepId = (typeof STEPS)[number];

export type DemoState = "none" | "making" | "made" | "removing" | "broken";
export type DemoKind = "song" | "playlist" | "light" | "group" | "person" | "event" | "talk" | "thread";

export interface FirstStepsRow {
  readonly is_hidden: boolean;
  readonly demo_state: DemoState;
  /** Current step of the work, or why the demo night is broken. */
  readonly demo_says: string;
  /** User who requested it. */
  readonly demo_wanted_by: string | null;
}

export async function readFirstSteps(db: Db): Promise<FirstStepsRow> {
  const [row] = await db<FirstStepsRow[]>`select is_hidden, demo_state, demo_says, demo_wanted_by from first_steps`;
  return row!; // inserted by the migration
}

/** Reads the row and locks it until the transaction ends. */
export async function lockFirstSteps(db: Db): Promise<FirstStepsRow> {
  await db`select 1 from first_steps for update`;
  return readFirstSteps(db);
}

export async function changeFirstSteps(db: Db, changed: Partial<FirstStepsRow>): Promise<void> {
  await db`update first_steps set ${db(changed)}`;
}

/** Whether the installation is empty, so that a demo cannot be mixed with real data. */
export async function isNothingThere(db: Db): Promise<boolean> {
  const [row] = await db<{ is_empty: boolean }[]>`
    select not (
      exists (select 1 from events where deleted_at is null)
      or exists (select 1 from lights)
      or exists (select 1 from songs where deleted_at is null)
      or exists (select 1 from playlists)
    ) as is_empty`;
  return row!.is_empty; // a select without a table has one row
}

/** Returns which steps are done. Items of the demo night do not count. */
export async function readSteps(db: Db): Promise<Readonly<Record<StepId, boolean>>> {
  const isReal = (kind: DemoKind, id: Fragment) =>
    db`not exists (select 1 from demo_items where kind = ${kind} and demo_items.id = ${id})`;
  const [row] = await db<Record<StepId, boolean>[]>`
    select
      exists (select 1 from users where 'Admin' = any(roles) and not is_script and deleted_at is null) as owner,
      exists (select 1 from lights where ${isReal("light", db`lights.id::text`)}) as lamps,
      exists (select 1 from outputs where enabled) as output,
      exists (
        select 1 from songs
        where deleted_at is null and lighting_status = 'ready' and ${isReal("song", db`songs.id`)}
      ) as song,
      exists (select 1 from lamps_seen where is_seen and ${isReal("light", db`light_id::text`)})
        or exists (select 1 from played_songs where ${isReal("song", db`song_id`)}) as light,
      exists (select 1 from events where deleted_at is null and ${isReal("event", db`events.id`)}) as event,
      (
        select count(*) > 1 from users
        where not is_script and deleted_at is null and ${isReal("person", db`users.id`)}
      ) as people`;
  return row!; // a select without a table has one row
}

export interface DemoItem {
  readonly kind: DemoKind;
  readonly id: string;
}

/** Returns the items of the demo night in order of creation. */
export function demoItems(db: Db): Promise<DemoItem[]> {
  return db<DemoItem[]>`select kind, id from demo_items order by number`;
}

export async function noteDemoItem(db: Db, { kind, id }: DemoItem): Promise<void> {
  await db`insert into demo_items ${db({ kind, id })} on conflict do nothing`;
}

/** Deletes rows that no RPC deletes permanently. Talks that users added to the demo event remain, without an event. */
export async function dropDemoRows(db: Db, items: readonly DemoItem[]): Promise<void> {
  const of = (kind: DemoKind) => items.filter((item) => item.kind === kind).map(({ id }) => id);
  const [events, talks] = [of("event"), of("talk")];
  await db`delete from talks where id = any(${talks})`;
  await db`update talks set event_id = null where event_id = any(${events})`;
  await db`delete from chat_threads where id = any(${of("thread")})`;
  await db`delete from events where id = any(${events})`;
  await db`delete from demo_items`;
}
