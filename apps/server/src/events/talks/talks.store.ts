import { newId } from "../../platform/database/ids.ts";
import type { Db } from "../../platform/database/database.ts";
import type { Fragment, ListDefinition } from "../../platform/database/lists.ts";

export interface TalkFields {
  readonly title: string;
  readonly body: string;
  readonly start_at: Date | null;
  readonly user_id: string | null;
  readonly event_id: string | null;
  readonly image_id: string | null;
}

export interface TalkRow extends TalkFields {
  readonly id: string;
  /** Name of the speaker. */
  readonly user_name: string | null;
  /** Time zone of the event; null without one. */
  readonly event_zone: string | null;
  /** Number of votes, maintained by a trigger of the votes table. */
  readonly points: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

/** Talks by start, unscheduled ones last. */
export const TALK_LIST: ListDefinition = {
  columns: (db) => db`
    t.id, t.title, t.body, t.start_at, t.user_id, t.event_id, t.image_id, t.points, t.created_at, t.updated_at,
    t.deleted_at, u.name as user_name, e.time_zone as event_zone`,
  from: (db) => db`talks t left join users u on u.id = t.user_id left join events e on e.id = t.event_id`,
  id: (db) => db`t.id`,
  idType: "text",
  orders: {
    start_at: { by: (db) => db`coalesce(t.start_at, 'infinity')`, type: "timestamptz" },
    title: { by: (db) => db`lower(t.title)`, type: "text" },
    created_at: "id",
    points: { by: (db) => db`t.points`, type: "integer" },
  },
  ownOrder: "start_at",
  filters: { scheduled: (db) => db`t.start_at is not null`, unscheduled: (db) => db`t.start_at is null` },
  searched: (db) => db`t.searched`,
};

/** Condition for talks that are not deleted, optionally of one event or one speaker. */
export function talksOf(
  db: Db,
  { eventId, userId }: { readonly eventId?: string; readonly userId?: string },
): Fragment {
  const ofEvent = eventId ? db`t.event_id = ${eventId}` : db`true`;
  const ofSpeaker = userId ? db`t.user_id = ${userId}` : db`true`;
  return db`t.deleted_at is null and ${ofEvent} and ${ofSpeaker}`;
}

export async function findTalk(db: Db, id: string): Promise<TalkRow | undefined> {
  const [row] = await db<TalkRow[]>`
    select ${TALK_LIST.columns(db)} from ${TALK_LIST.from(db)} where t.id = ${id} and t.deleted_at is null`;
  return row;
}

/**
 * Locks a talk against changes until the transaction ends. Inserts that only refer to it, such as feedback, are not
 * blocked.
 */
export async function lockTalk(db: Db, id: string): Promise<TalkRow | undefined> {
  // `execute` sends the lock at once: a query is otherwise sent when it is awaited. The read runs after the lock was
  // acquired.
  const held = db`select 1 from talks where id = ${id} for no key update`.execute();
  const [talk] = await Promise.all([findTalk(db, id), held]);
  return talk;
}

/** Takes a shared lock on a talk, so that it cannot change until the transaction ends. */
export async function holdTalk(db: Db, id: string): Promise<TalkRow | undefined> {
  await db`select 1 from talks where id = ${id} for share`;
  return findTalk(db, id);
}

/** Takes a shared lock on the talks of an event until the transaction ends, and returns them in order of creation. */
export async function holdTalksOf(db: Db, eventId: string): Promise<readonly TalkRow[]> {
  await db`select 1 from talks where event_id = ${eventId} order by id for share`;
  return db<TalkRow[]>`
    select ${TALK_LIST.columns(db)} from ${TALK_LIST.from(db)} where ${talksOf(db, { eventId })} order by t.id`;
}

/** @returns the ID of the talk */
export async function insertTalk(db: Db, fields: TalkFields): Promise<string> {
  const id = newId();
  await db`insert into talks ${db({ id, ...fields })}`;
  return id;
}

export async function updateTalk(db: Db, id: string, fields: Partial<TalkFields>): Promise<void> {
  await db`update talks set ${db({ ...fields, updated_at: new Date() })} where id = ${id}`;
}

/** @returns false if there is no such talk in the other state */
export async function setTalkDeleted(db: Db, id: string, deleted: boolean): Promise<boolean> {
  const changed = await db`
    update talks set deleted_at = case when ${deleted} then now() end, updated_at = now()
    where id = ${id} and (deleted_at is null) = ${deleted}`;
  return changed.count === 1;
}

/** Purges talks, with their images, that were deleted longer ago than the restore period. */
export async function purgeTalks(db: Db, keptHours: number): Promise<void> {
  await db`
    with removed as (
      delete from talks where deleted_at < now() - make_interval(hours => ${keptHours}) returning image_id
    )
    delete from images where id in (select image_id from removed)`;
}

/** Locks the given users against being purged. @returns the IDs of those who are not deleted */
export async function holdMembers(db: Db, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db<{ id: string }[]>`
    select id from users where id = any(${userIds as string[]}) and deleted_at is null order by id for key share`;
  return new Set(rows.map(({ id }) => id));
}

/** Facts that decide whether the vote of a user counts for a talk. */
export interface VoterRow {
  readonly id: string;
  readonly is_speaker: boolean;
  /** Registered, waiting or checked in; true for everyone at an event without registration. */
  readonly is_listed: boolean;
  /** Address without its `+` tag, in lower case; null without an address. */
  readonly mailbox: string | null;
  /** Whether another account with the same mailbox has voted for the talk. */
  readonly has_voted_before: boolean;
}

const mailboxOf = (email: Fragment, db: Db): Fragment =>
  db`regexp_replace(lower(nullif(${email}, '')), '\\+[^@]*@', '@')`;

/** The users by ID, which is the order in which their votes count. */
export async function readVoters(
  db: Db,
  { id, user_id, event_id }: TalkRow,
  userIds: readonly string[],
): Promise<readonly VoterRow[]> {
  if (userIds.length === 0) return [];
  return db<VoterRow[]>`
    with voted as (
      select ${mailboxOf(db`email`, db)} as mailbox, min(users.id) as first, max(users.id) as last
      from talk_votes join users on users.id = talk_votes.user_id
      where talk_id = ${id} and email <> '' group by 1
    ), voters as (
      select id, ${mailboxOf(db`email`, db)} as mailbox from users where id = any(${userIds as string[]})
    )
    select voters.id, voters.mailbox, voters.id is not distinct from ${user_id} as is_speaker,
      not exists (select from events where id = ${event_id} and registration <> 'none')
        or exists (select from registrations where event_id = ${event_id} and user_id = voters.id)
        or exists (select from check_ins where event_id = ${event_id} and user_id = voters.id) as is_listed,
      coalesce(voted.first <> voters.id or voted.last <> voters.id, false) as has_voted_before
    from voters left join voted on voted.mailbox = voters.mailbox
    order by voters.id`;
}

/** Locks the talks of an event until the transaction ends. */
export async function lockTalksOf(db: Db, eventId: string): Promise<void> {
  await db`select 1 from talks where event_id = ${eventId} order by id for no key update`;
}

/** Removes the votes of a user who canceled their registration. @returns the talks that lost one */
export async function removeVotesAt(db: Db, eventId: string, userId: string): Promise<readonly TalkRow[]> {
  const removed = await db<{ talk_id: string }[]>`
    delete from talk_votes using talks
    where talks.id = talk_votes.talk_id and talks.event_id = ${eventId} and talk_votes.user_id = ${userId}
    returning talk_id`;
  const ids = removed.map(({ talk_id }) => talk_id);
  return db<TalkRow[]>`
    select ${TALK_LIST.columns(db)} from ${TALK_LIST.from(db)} where t.id = any(${ids}) and t.deleted_at is null`;
}

/** Adds votes; a repeated vote counts once. @returns number of new votes */
export async function addVotes(db: Db, talkId: string, userIds: readonly string[]): Promise<number> {
  if (userIds.length === 0) return 0;
  const { count } = await db`
    insert into talk_votes (talk_id, user_id) select ${talkId}, unnest(${userIds as string[]}::text[])
    on conflict do nothing`;
  return count;
}

/** @returns number of votes removed */
export async function removeVotes(db: Db, talkId: string, userIds: readonly string[]): Promise<number> {
  if (userIds.length === 0) return 0;
  const { count } = await db`
    delete from talk_votes where talk_id = ${talkId} and user_id = any(${userIds as string[]})`;
  return count;
}
