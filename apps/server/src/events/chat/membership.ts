import { parseTopic, type Envelope } from "@followspot/contract";
import type { Caller } from "../../platform/caller.ts";
import type { Entry } from "../../platform/database/change.ts";
import type { Db, Sql, Tx } from "../../platform/database/database.ts";
import { unauthenticated } from "../../platform/errors.ts";
import { shownThreadEntry } from "./chat-entries.ts";
import { noThread } from "./chat-rules.ts";
import { forgetPerson } from "./messages.store.ts";
import * as threads from "./threads.store.ts";
import type { LockedThread } from "./threads.store.ts";

/** Whether a caller may subscribe to `chat.thread.{id}`. */
export const listensToThread = (sql: Sql) => (caller: Caller, threadId: string) =>
  threads.isMember(sql, threadId, caller.userId);

/** Returns the user whose subscription to the topic ends with this envelope; undefined if none does. */
export function whoLeftThread({ topic, type, payload }: Envelope): string | undefined {
  if (type !== "thread.left" || parseTopic(topic)?.kind !== "chat.thread") return undefined;
  return (payload as { readonly user_id: string }).user_id;
}

/**
 * Locks the caller, then the thread, and admits members only. Membership changes only under the thread's lock, so a
 * member stays one until the transaction ends.
 *
 * @param refusal error for non-members, the same whether or not the thread exists
 */
export async function enterThread(
  tx: Tx,
  threadId: string,
  caller: Caller,
  refusal: () => Error = noThread,
): Promise<LockedThread> {
  // One round trip: PostgreSQL runs the queries in order, the last one with the lock held.
  const [living, thread, isMember] = await Promise.all([
    threads.holdLiving(tx, [caller.userId]),
    threads.lockThread(tx, threadId),
    threads.isMember(tx, threadId, caller.userId),
  ]);
  if (!living.has(caller.userId)) throw unauthenticated();
  if (!thread || !isMember) throw refusal();
  return thread;
}

/** The same for reading, without locks. Admins are admitted without being members. */
export async function lookIntoThread(db: Db, threadId: string, caller: Caller): Promise<threads.ThreadRow> {
  const thread = await threads.findThread(db, threadId, caller.userId);
  if (!thread || !(thread.is_member || isModerator(caller))) throw noThread();
  return thread;
}

export const isModerator = ({ roles }: Caller): boolean => roles.includes("Admin");

/** Removes a user who is being purged from every thread; call it before the user's row is deleted. */
export async function forgetChats(tx: Tx, userId: string): Promise<readonly Entry[]> {
  const touched = await forgetPerson(tx, userId);
  const entries = touched.map(async (id) => shownThreadEntry(id, "updated", await threads.toldMembers(tx, id)));
  return Promise.all(entries);
}
