import type { Entry } from "../platform/change.ts";
import { messageJson } from "./chat-message.ts";
import type { MessageRow } from "./messages.store.ts";

export const threadTopic = (id: string): string => `chat.thread.${id}`;
const ownTopic = (userId: string): string => `user.${userId}`;

/** What happened to a message, for those who look at its thread. */
export function messageEntry(verb: string, row: MessageRow, isMembersOwn = true): Entry {
  return {
    noun: "message",
    id: row.id,
    verb,
    // Never the text: the audit log says who did what to whose message.
    before: { thread_id: row.thread_id, user_id: row.user_id },
    payload: { thread_id: row.thread_id, message: messageJson(row) },
    topics: [threadTopic(row.thread_id)],
    isMembersOwn,
  };
}

/** The one change: a message that many react to would be sent with all of them, to all readers, at each. */
export function reactionEntry(verb: "added" | "removed", row: MessageRow, userId: string, emoji: string): Entry {
  return {
    noun: "reaction",
    id: `${row.id}/${emoji}`,
    verb,
    payload: { thread_id: row.thread_id, message_id: row.id, user_id: userId, emoji },
    topics: [threadTopic(row.thread_id)],
    isMembersOwn: true,
  };
}

/**
 * A thread is another than before, for moderators and for each of its members on their own topic: they read what they
 * show of it again.
 * @param to members, and who was one until now
 */
export function threadEntry(threadId: string, verb: string, to: readonly string[], more: Partial<Entry> = {}): Entry {
  return {
    noun: "thread",
    id: threadId,
    verb,
    topics: ["threads", ...to.map(ownTopic)],
    isMembersOwn: true,
    ...more,
  };
}

/** The same for a change that those who look at the thread see as well. */
export function shownThreadEntry(
  threadId: string,
  verb: string,
  to: readonly string[],
  more: Partial<Entry> = {},
): Entry {
  return threadEntry(threadId, verb, to, { topics: ["threads", threadTopic(threadId), ...to.map(ownTopic)], ...more });
}

/** Told to the reader's other devices. */
export function readEntry(threadId: string, userId: string, unread: number): Entry {
  const topics = [ownTopic(userId)];
  return { noun: "thread", id: threadId, verb: "read", topics, payload: { unread_count: unread }, isMembersOwn: true };
}
