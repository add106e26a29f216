import type { Db } from "../platform/database.ts";
import { newId } from "../platform/ids.ts";
import type { Fragment, ListDefinition } from "../platform/lists.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "./messages.store.ts";

/** More than this many unread messages are not counted. */
export const MOST_UNREAD = 100;
/** Members a list names of each thread. */
export const NAMED = 8;
const EVERY = 1_000_000;

export interface MemberRow {
  readonly user_id: string;
  readonly name: string;
  readonly photo_id: string | null;
  readonly joined_at: Date;
}

/** A thread held until the transaction ends. */
export interface LockedThread {
  readonly id: string;
  readonly title: string;
  readonly created_by: string | null;
  readonly last_number: number;
  /** The one that everybody at its event may join. */
  readonly is_of_event: boolean;
}

export interface ThreadRow extends LockedThread {
  readonly event_id: string | null;
  readonly event_title: string | null;
  readonly created_at: Date;
  readonly last_message_at: Date;
  /** Of the living. */
  readonly member_ids: string[];
  readonly members: readonly (Omit<MemberRow, "joined_at"> & { readonly joined_at: string })[];
  readonly is_member: boolean;
  readonly unread_count: number;
}

/** The living members of thread `t`, those who came first at the head. */
const members = (db: Db) => db`
  chat_members m join users u on u.id = m.user_id where m.thread_id = t.id and u.deleted_at is null`;

/** Columns of thread `t` as the person whose membership is `mine` sees it, with `named` members by name. */
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

/** The threads of one person. They sort as many rows as that person has threads, whatever others have. */
export function threadsOf(userId: string): ListDefinition {
  return {
    ...LIST,
    columns: (db) => columns(db, NAMED),
    from: (db) => db`chat_threads t join chat_members mine on mine.thread_id = t.id and mine.user_id = ${userId}`,
    filters: { unread: (db) => isUnread(db) },
    searched: (db) => db`lower(t.title || ' ' || coalesce((select string_agg(u.name, ' ') from ${members(db)}), ''))`,
  };
}

/** Every thread, as `userId` who moderates sees it. */
export function allThreads(userId: string): ListDefinition {
  return {
    ...LIST,
    columns: (db) => columns(db, NAMED),
    from: (db) => db`chat_threads t left join chat_members mine on mine.thread_id = t.id and mine.user_id = ${userId}`,
    filters: {},
    searched: (db) => db`t.searched`,
  };
}

/** Threads that one person is in; all without an id. */
export const withMember = (db: Db, userId: string): Fragment =>
  userId === ""
    ? db`true`
    : db`exists (select 1 from chat_members w where w.thread_id = t.id and w.user_id = ${userId})`;

/** Whether another person wrote something after what `mine` has read. */
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

/** One thread as a person sees it, with every member unless only the first few are to be `named`. */
export async function findThread(db: Db, id: string, userId: string, named = EVERY): Promise<ThreadRow | undefined> {
  const list = allThreads(userId);
  const [row] = await db<ThreadRow[]>`
    select ${columns(db, named)} from ${list.from(db)} where t.id = ${id}`;
  return row;
}

/** The newest message of each of these threads. */
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

/** @returns its id; undefined when the same person created one under the same id of theirs meanwhile */
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

/** The thread of an event that everybody may join, made when there is none; also by many at once it is one. */
export async function eventThread(db: Db, event: { readonly id: string; readonly title: string }): Promise<string> {
  const find = () => db<{ id: string }[]>`select id from chat_threads where event_id = ${event.id} and is_of_event`;
  const [known] = await find();
  if (known) return known.id;
  const [made] = await db<{ id: string }[]>`
    insert into chat_threads (id, title, event_id, is_of_event) values (${newId()}, ${event.title}, ${event.id}, true)
    on conflict (event_id, community_id) where is_of_event do nothing returning id`;
  // The insert has waited for the transaction that was first: its row can be seen now.
  return made?.id ?? (await find())[0]!.id;
}

/** The thread a person created under this id of theirs. */
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
 * Holds these people against being purged until the transaction ends.
 * @returns ids of those who live
 */
export async function holdLiving(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db<{ id: string }[]>`
    select id from users where id = any(${ids as string[]}::text[]) and deleted_at is null order by id for key share`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Members who hear on their own topics that a thread is another than before. Of an event's thread these are none: each
 * message would be told to hundreds who do not look.
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

/** Whether an Admin has taken a person out of an event's thread. */
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

/** What was said before counts as read. */
export async function addMembers(db: Db, thread: Pick<LockedThread, "id" | "last_number">, userIds: readonly string[]) {
  await db`
    insert into chat_members (thread_id, user_id, read_number)
    select ${thread.id}, user_id, ${thread.last_number} from unnest(${userIds as string[]}::text[]) as user_id
    on conflict do nothing`;
}

export async function removeMember(db: Db, threadId: string, userId: string): Promise<void> {
  await db`delete from chat_members where thread_id = ${threadId} and user_id = ${userId}`;
}

/** False when they had read as far before, or are not in the thread. */
export async function moveRead(db: Db, threadId: string, userId: string, number: number): Promise<boolean> {
  const rows = await db`
    update chat_members set read_number = ${number}
    where thread_id = ${threadId} and user_id = ${userId} and read_number < ${number} returning 1`;
  return rows.length > 0;
}

/** Living people by name, those whose name begins with the text first. */
export async function findPeople(db: Db, text: string, limit: number, exceptId: string): Promise<MemberRow[]> {
  const wanted = text.trim().toLowerCase();
  const pattern = wanted.replaceAll(/[\\%_]/g, "\\$&");
  // `searched` also holds addresses; its index finds the names among them.
  return db<MemberRow[]>`
    select id as user_id, name, photo_id, created_at as joined_at from users
    where searched like ${`%${pattern}%`} and lower(name) like ${`%${pattern}%`}
      and deleted_at is null and not is_script and id <> ${exceptId}
    order by lower(name) not like ${`${pattern}%`}, lower(name), id limit ${limit}`;
}
