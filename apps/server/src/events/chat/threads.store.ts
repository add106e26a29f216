import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/database/ids.ts";
import type { Fragment, ListDefinition } from "../../platform/database/lists.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "./messages.store.ts";

/** Unread messages are counted up to this number. */
export const MOST_UNREAD = 100;
/** Number of members that a list names per thread. */
export const NAMED = 8;
const EVERY = 1_000_000;

export interface MemberRow {
  readonly user_id: string;
  readonly name: string;
  readonly photo_id: string | null;
  readonly joined_at: Date;
}

/** Thread that is locked until the transaction ends. */
export interface LockedThread {
  readonly id: string;
  readonly title: string;
  readonly created_by: string | null;
  readonly last_number: number;
  /** Whether this is the thread that every attendee of its event may join. */
  readonly is_of_event: boolean;
}

export interface ThreadRow extends LockedThread {
  readonly event_id: string | null;
  readonly event_title: string | null;
  readonly created_at: Date;
  readonly last_message_at: Date;
  /** Members who are not deleted. */
  readonly member_ids: string[];
  readonly members: readonly (Omit<MemberRow, "joined_at"> & { readonly joined_at: string })[];
  readonly is_member: boolean;
  readonly unread_count: number;
}

/** Members of thread `t` who are not deleted. */
const members = (db: Db) => db`
  chat_members m join users u on u.id = m.user_id where m.thread_id = t.id and u.deleted_at is null`;

/** Columns of thread `t` for the user whose membership is `mine`, with the names of the first `named` members. */
const columns = (db: Db, named: number) => db`
  t.id, t.title, t.created_by, t.last_number, t.created_at, t.last_message_at, t.event_id, t.is_of_event,
  (select e.title from events e where e.id = t.event_id) as event_title,
  array(select m.user_id from ${members(db)} order by m.joined_at, m.user_id) as member_ids,
  (select coalesce(jsonb_agg(first), '[]') from (
    select m.user_id, u.name, u.photo_id, m.joined_at from ${members(db)} order by m.joined_at, m.user_id limit ${named}
  ) first) as members,
  mine.user_id is not null as is_member,
  (select count(*)::int from (
    select 1 from chat_messages c
    where c.thread_id = t.id and c.number > mine.read_number and c.deleted_at is null
      and c.user_id is distinct from mine.user_id
    limit ${MOST_UNREAD}
  ) unread) as unread_count`;

const LIST = {
  id: (db: Db) => db`t.id`,
  idType: "text",
  orders: {
    last_message_at: { by: (db: Db) => db`t.last_message_at`, type: "timestamptz" },
    created_at: "id",
  },
  ownOrder: "last_message_at desc",
} as const satisfies Partial<ListDefinition>;

/** Threads of one user. The sort covers that user's threads only. */
export function threadsOf(userId: string): ListDefinition {
  return {
    ...LIST,
    columns: (db) => columns(db, NAMED),
    from: (db) => db`chat_threads t join chat_members mine on mine.thread_id = t.id and mine.user_id = ${userId}`,
    filters: { unread: (db) => isUnread(db) },
    searched: (db) => db`lower(t.title || ' ' || coalesce((select string_agg(u.name, ' ') from ${members(db)}), ''))`,
  };
}

/** All threads, as seen by the moderator `userId`. */
export function allThreads(userId: string): ListDefinition {
  return {
    ...LIST,
    columns: (db) => columns(db, NAMED),
    from: (db) => db`chat_threads t left join chat_members mine on mine.thread_id = t.id and mine.user_id = ${userId}`,
    filters: {},
    searched: (db) => db`t.searched`,
  };
}

/** Condition for threads of one user; all for an empty ID. */
export const withMember = (db: Db, userId: string): Fragment =>
  userId === ""
    ? db`true`
    : db`exists (select 1 from chat_members w where w.thread_id = t.id and w.user_id = ${userId})`;

/** Whether another user wrote something after the read position of `mine`. */
const isUnread = (db: Db) => db`
  t.last_number > mine.read_number and exists (
    select 1 from chat_messages c
    where c.thread_id = t.id and c.number > mine.read_number and c.deleted_at is null
      and c.user_id is distinct from mine.user_id)`;

export async function countUnread(db: Db, userId: string): Promise<number> {
  const list = threadsOf(userId);
  const [row] = await db<{ unread: number }[]>`
    select count(*)::int as unread from ${list.from(db)} where ${isUnread(db)}`;
  return row?.unread ?? 0;
}

/** Returns one thread as a user sees it, with the names of all members or of the first `named`. */
export async function findThread(db: Db, id: string, userId: string, named = EVERY): Promise<ThreadRow | undefined> {
  const list = allThreads(userId);
  const [row] = await db<ThreadRow[]>`
    select ${columns(db, named)} from ${list.from(db)} where t.id = ${id}`;
  return row;
}

/** Returns the newest message of each of these threads. */
export async function lastMessages(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, MessageRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db<MessageRow[]>`
    select ${MESSAGE_COLUMNS(db)} from chat_threads t
    join chat_messages m on m.thread_id = t.id and m.number = t.last_number
    left join users u on u.id = m.user_id
    where t.id = any(${ids as string[]}::text[])`;
  return new Map(rows.map((row) => [row.thread_id, row]));
}

export async function lockThread(db: Db, id: string): Promise<LockedThread | undefined> {
  const [row] = await db<LockedThread[]>`
    select id, title, created_by, last_number, is_of_event from chat_threads where id = ${id} for update`;
  return row;
}

/** @returns the ID; undefined if the same user has created a thread with the same client ID first */
export async function insertThread(
  db: Db,
  fields: {
    readonly title: string;
    readonly event_id: string | null;
    readonly created_by: string;
    readonly client_id: string | null;
  },
): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    insert into chat_threads ${db({ id: newId(), ...fields })}
    on conflict (created_by, client_id, community_id) do nothing returning id`;
  return row?.id;
}

/** Returns the thread of an event, created on first use; simultaneous calls create one. */
export async function eventThread(db: Db, event: { readonly id: string; readonly title: string }): Promise<string> {
  const find = () => db<{ id: string }[]>`select id from chat_threads where event_id = ${event.id} and is_of_event`;
  const [known] = await find();
  if (known) return known.id;
  const [made] = await db<{ id: string }[]>`
    insert into chat_threads (id, title, event_id, is_of_event) values (${newId()}, ${event.title}, ${event.id}, true)
    on conflict (event_id, community_id) where is_of_event do nothing returning id`;
  // The insert has waited for the concurrent transaction, whose row is visible now.
  return made?.id ?? (await find())[0]!.id;
}

/** Returns the thread that a user created with this client ID. */
export async function findCreated(db: Db, userId: string, clientId: string | null): Promise<string | undefined> {
  if (clientId === null) return undefined;
  const [row] = await db<{ id: string }[]>`
    select id from chat_threads where created_by = ${userId} and client_id = ${clientId}`;
  return row?.id;
}

export async function renameThread(db: Db, id: string, title: string): Promise<void> {
  await db`update chat_threads set title = ${title} where id = ${id}`;
}

/**
 * Locks users against being purged until the transaction ends.
 *
 * @returns IDs of those who are not deleted
 */
export async function holdLiving(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db<{ id: string }[]>`
    select id from users where id = any(${ids as string[]}::text[]) and deleted_at is null order by id for key share`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns the members to notify on their own topics when a thread changes. None for the thread of an event: each
 * message would be published to hundreds of inactive members.
 */
export async function toldMembers(db: Db, threadId: string): Promise<readonly string[]> {
  const rows = await db<{ user_id: string }[]>`
    select m.user_id from chat_threads t join chat_members m on m.thread_id = t.id
    where t.id = ${threadId} and not t.is_of_event`;
  return rows.map(({ user_id }) => user_id);
}

export async function countMembers(db: Db, threadId: string): Promise<number> {
  const [row] = await db<{ n: number }[]>`select count(*)::int as n from chat_members where thread_id = ${threadId}`;
  return row?.n ?? 0;
}

/** Whether an Admin has removed a user from the thread of an event. */
export async function isTakenOut(db: Db, threadId: string, userId: string): Promise<boolean> {
  const rows = await db`select 1 from chat_taken_out where thread_id = ${threadId} and user_id = ${userId}`;
  return rows.length > 0;
}

export async function setTakenOut(db: Db, threadId: string, userId: string, isOut: boolean): Promise<void> {
  if (isOut) await db`insert into chat_taken_out values (${threadId}, ${userId}) on conflict do nothing`;
  else await db`delete from chat_taken_out where thread_id = ${threadId} and user_id = ${userId}`;
}

export async function isMember(db: Db, threadId: string, userId: string): Promise<boolean> {
  const rows = await db`select 1 from chat_members where thread_id = ${threadId} and user_id = ${userId}`;
  return rows.length > 0;
}

/** Adds members; earlier messages count as read. */
export async function addMembers(db: Db, thread: Pick<LockedThread, "id" | "last_number">, userIds: readonly string[]) {
  await db`
    insert into chat_members (thread_id, user_id, read_number)
    select ${thread.id}, user_id, ${thread.last_number} from unnest(${userIds as string[]}::text[]) as user_id
    on conflict do nothing`;
}

export async function removeMember(db: Db, threadId: string, userId: string): Promise<void> {
  await db`delete from chat_members where thread_id = ${threadId} and user_id = ${userId}`;
}

/** Moves the read position forward; returns false if they had read as far before or are not members. */
export async function moveRead(db: Db, threadId: string, userId: string, number: number): Promise<boolean> {
  const rows = await db`
    update chat_members set read_number = ${number}
    where thread_id = ${threadId} and user_id = ${userId} and read_number < ${number} returning 1`;
  return rows.length > 0;
}

/** Finds users by name, those whose name begins with the text first. */
export async function findPeople(db: Db, text: string, limit: number, exceptId: string): Promise<MemberRow[]> {
  const wanted = text.trim().toLowerCase();
  const pattern = wanted.replaceAll(/[\\%_]/g, "\\$&");
  // `searched` also holds addresses; its index narrows the search to candidates.
  return db<MemberRow[]>`
    select id as user_id, name, photo_id, created_at as joined_at from users
    where searched like ${`%${pattern}%`} and lower(name) like ${`%${pattern}%`}
      and deleted_at is null and not is_script and id <> ${exceptId}
    order by lower(name) not like ${`${pattern}%`}, lower(name), id limit ${limit}`;
}
