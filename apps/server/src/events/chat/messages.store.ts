import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/database/ids.ts";
import type { ListDefinition } from "../../platform/database/lists.ts";

export interface ReactionRow {
  readonly emoji: string;
  readonly user_ids: readonly string[];
}

export interface MessageRow {
  readonly id: string;
  readonly thread_id: string;
  readonly number: number;
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly user_photo_id: string | null;
  readonly client_id: string | null;
  readonly text: string;
  readonly created_at: Date;
  readonly edited_at: Date | null;
  readonly deleted_at: Date | null;
  readonly deleted_by_moderator: boolean;
  readonly reactions: readonly ReactionRow[] | null;
}

/** Columns of message `m` with its author `u`. */
export const MESSAGE_COLUMNS = (db: Db) => db`
  m.*, u.name as user_name, u.photo_id as user_photo_id,
  (select jsonb_agg(jsonb_build_object('emoji', r.emoji, 'user_ids', r.user_ids) order by r.since, r.emoji) from (
    select emoji, min(created_at) as since, array_agg(user_id order by created_at, user_id) as user_ids
    from chat_reactions where message_id = m.id group by emoji
  ) r) as reactions`;

/** Messages of one thread, the scope of every page: their numbers are the IDs. */
export const MESSAGE_LIST: ListDefinition = {
  columns: MESSAGE_COLUMNS,
  from: (db) => db`chat_messages m left join users u on u.id = m.user_id`,
  id: (db) => db`m.number`,
  idType: "integer",
  orders: { number: "id" },
  ownOrder: "number desc",
  filters: {},
  searched: (db) => db`lower(m.text)`,
};

export async function findMessage(db: Db, id: string): Promise<MessageRow | undefined> {
  const [row] = await db<MessageRow[]>`
    select ${MESSAGE_COLUMNS(db)} from ${MESSAGE_LIST.from(db)} where m.id = ${id}`;
  return row;
}

/** Returns the message that a user sent with this client ID. */
export async function findSent(db: Db, userId: string, clientId: string): Promise<MessageRow | undefined> {
  const [row] = await db<MessageRow[]>`
    select ${MESSAGE_COLUMNS(db)} from ${MESSAGE_LIST.from(db)}
    where m.user_id = ${userId} and m.client_id = ${clientId}`;
  return row;
}

/** Appends a message to a locked thread; its author has then read up to it. */
export async function insertMessage(
  db: Db,
  threadId: string,
  fields: { readonly user_id: string; readonly client_id: string | null; readonly text: string },
): Promise<MessageRow> {
  const [row] = await db<MessageRow[]>`
    with thread as (
      update chat_threads set last_number = last_number + 1, last_message_at = clock_timestamp() where id = ${threadId}
      returning last_number, last_message_at
    ), read as (
      update chat_members set read_number = thread.last_number from thread
      where thread_id = ${threadId} and user_id = ${fields.user_id}
    ), m as (
      insert into chat_messages (id, thread_id, number, created_at, user_id, client_id, text)
      select ${newId()}, ${threadId}, last_number, last_message_at,
        ${fields.user_id}, ${fields.client_id}, ${fields.text}
      from thread
      returning *
    )
    select m.*, u.name as user_name, u.photo_id as user_photo_id, null::jsonb as reactions
    from m join users u on u.id = m.user_id`;
  return row!; // an insert returns its row
}

export async function setText(db: Db, id: string, text: string): Promise<void> {
  await db`update chat_messages set text = ${text}, edited_at = now() where id = ${id}`;
}

/** Soft-deletes a message: clears text and reactions. */
export async function clearMessage(db: Db, id: string, byModerator: boolean): Promise<void> {
  await db`
    with felt as (delete from chat_reactions where message_id = ${id})
    update chat_messages set text = '', deleted_at = now(), deleted_by_moderator = ${byModerator} where id = ${id}`;
}

/** Adds a reaction; returns false if the user had added this emoji before. */
export async function addReaction(db: Db, messageId: string, userId: string, emoji: string): Promise<boolean> {
  const rows = await db`
    insert into chat_reactions (message_id, user_id, emoji) values (${messageId}, ${userId}, ${emoji})
    on conflict do nothing returning 1`;
  return rows.length > 0;
}

/** Removes a reaction; returns false if there was none. */
export async function removeReaction(db: Db, messageId: string, userId: string, emoji: string): Promise<boolean> {
  const rows = await db`
    delete from chat_reactions where message_id = ${messageId} and user_id = ${userId} and emoji = ${emoji} returning 1`;
  return rows.length > 0;
}

/**
 * Removes a user from the chat permanently: text, reactions and memberships. Their messages stay as deleted ones
 * without an author, so that threads and counts of others remain intact.
 *
 * @returns IDs of the threads in which they were members or had written
 */
export async function forgetPerson(db: Db, userId: string): Promise<readonly string[]> {
  const rows = await db<{ thread_id: string }[]>`
    with said as (
      update chat_messages set text = '', client_id = null, deleted_at = coalesce(deleted_at, now()), user_id = null
      where user_id = ${userId} returning thread_id
    ), was as (
      delete from chat_members where user_id = ${userId} returning thread_id
    )
    select thread_id from said union select thread_id from was`;
  await db`delete from chat_reactions where user_id = ${userId}`;
  return rows.map(({ thread_id }) => thread_id);
}
