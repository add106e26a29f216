import { ulid } from "ulid";
import type { Db } from "../platform/database.ts";

export interface TalkRow {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly start_at: Date | null;
  readonly user_id: string | null;
  /** Name of the speaker. */
  readonly user_name: string | null;
  readonly event_id: string | null;
  readonly image_id: string | null;
  /** Number of votes. */
  readonly points: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface TalkFields {
  readonly title: string;
  readonly body: string;
  readonly start_at: Date | null;
  readonly user_id: string | null;
  readonly event_id: string | null;
  readonly image_id: string | null;
}

/** By start, unscheduled ones last. */
export async function listTalks(db: Db, eventId: string | undefined): Promise<readonly TalkRow[]> {
  const ofEvent = eventId === undefined ? db`` : db`where t.event_id = ${eventId}`;
  return db<TalkRow[]>`${selectTalks(db)} ${ofEvent} order by t.start_at nulls last, t.id`;
}

export async function findTalk(db: Db, id: string): Promise<TalkRow | undefined> {
  const [row] = await db<TalkRow[]>`${selectTalks(db)} where t.id = ${id}`;
  return row;
}

/** The same, held until the transaction ends. */
export async function lockTalk(db: Db, id: string): Promise<TalkRow | undefined> {
  await db`select 1 from talks where id = ${id} for update`;
  return findTalk(db, id);
}

/** @returns its id */
export async function insertTalk(db: Db, fields: TalkFields): Promise<string> {
  const id = ulid();
  await db`insert into talks ${db({ id, ...fields })}`;
  return id;
}

export async function updateTalk(db: Db, id: string, fields: Partial<TalkFields>): Promise<void> {
  await db`update talks set ${db({ ...fields, updated_at: new Date() })} where id = ${id}`;
}

export async function removeTalk(db: Db, id: string): Promise<void> {
  await db`delete from talks where id = ${id}`;
}

/** Voting twice counts once. */
export async function addVote(db: Db, talkId: string, userId: string): Promise<void> {
  await db`insert into talk_votes (talk_id, user_id) values (${talkId}, ${userId}) on conflict do nothing`;
}

export async function removeVote(db: Db, talkId: string, userId: string): Promise<void> {
  await db`delete from talk_votes where talk_id = ${talkId} and user_id = ${userId}`;
}

/** False when this person gave feedback on this talk before. */
export async function addFeedback(
  db: Db,
  feedback: { readonly talk_id: string; readonly user_id: string; readonly text: string; readonly rating: number },
): Promise<boolean> {
  const rows = await db`insert into talk_feedback ${db(feedback)} on conflict do nothing returning 1`;
  return rows.length === 1;
}

function selectTalks(db: Db) {
  return db`
    select t.*, u.name as user_name,
      (select count(*)::int from talk_votes v where v.talk_id = t.id) as points
    from talks t left join users u on u.id = t.user_id`;
}
