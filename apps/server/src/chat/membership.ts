import { parseTopic, type Envelope } from "@followspot/contract";
import type { Caller } from "../platform/caller.ts";
import type { Entry } from "../platform/change.ts";
import type { Db, Sql, Tx } from "../platform/database.ts";
import { unauthenticated } from "../platform/errors.ts";
import { shownThreadEntry } from "./chat-entries.ts";
import { noThread } from "./chat-rules.ts";
import { forgetPerson } from "./messages.store.ts";
import * as threads from "./threads.store.ts";
import type { LockedThread } from "./threads.store.ts";

/** Whether a caller may listen to `chat.thread.{id}`. */
export const listensToThread = (sql: Sql) => (caller: Caller, threadId: string) =>
  threads.isMember(sql, threadId, caller.userId);

/** Whose place in the thread of its topic ends with this envelope. */
export function whoLeftThread({ topic, type, payload }: Envelope): string | undefined {
  if (type !== "thread.left" || parseTopic(topic)?.kind !== "chat.thread") return undefined;
  return (payload as { readonly user_id: string }).user_id;
}

/**
 * Holds the caller, then the thread, and lets only members go on. Who is in a thread changes under the thread's lock
 * alone, so that a member here is one until the transaction ends.
 *
 * @param refusal what a stranger is told, whether the thread exists or not
 */
export async function enterThread(
  tx: Tx,
  threadId: string,
  caller: Caller,
  refusal: () => Error = noThread,
): Promise<LockedThread> {
  // One way to the database: PostgreSQL answers them one after the other, the last one with the lock held.
  const [living, thread, isMember] = await Promise.all([
    threads.holdLiving(tx, [caller.userId]),
    threads.lockThread(tx, threadId),
    threads.isMember(tx, threadId, caller.userId),
  ]);
  if (!living.has(caller.userId)) throw unauthenticated();
  if (!thread || !isMember) throw refusal();
  return thread;
}

/** The same for reading, without locks; Admins get in without being members. */
export async function lookIntoThread(db: Db, threadId: string, caller: Caller): Promise<threads.ThreadRow> {
  const thread = await threads.findThread(db, threadId, caller.userId);
  if (!thread || !(thread.is_member || isModerator(caller))) throw noThread();
  return thread;
}

export const isModerator = ({ roles }: Caller): boolean => roles.includes("Admin");

/** Takes a person who is purged out of every thread; to be done before their row goes. */
export async function forgetChats(tx: Tx, userId: string): Promise<readonly Entry[]> {
  const touched = await forgetPerson(tx, userId);
  const entries = touched.map(async (id) => shownThreadEntry(id, "updated", await threads.toldMembers(tx, id)));
  return Promise.all(entries);
}
