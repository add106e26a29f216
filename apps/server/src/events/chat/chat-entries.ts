import type { Entry } from "../../platform/database/change.ts";
import { messageJson } from "./chat-message.ts";
import type { MessageRow } from "./messages.store.ts";

export const threadTopic = (id: string): string => `chat.thread.${id}`;
const ownTopic = (userId: string): string => `user.${userId}`;

/** Entry for a changed message, published to the readers of its thread. */
export function messageEntry(verb: string, row: MessageRow, isMembersOwn = true): Entry {
  return {
    noun: "message",
    id: row.id,
    verb,
    // Never the text: the audit log holds who did what to whose message.
    before: { thread_id: row.thread_id, user_id: row.user_id },
    payload: { thread_id: row.thread_id, message: messageJson(row) },
    topics: [threadTopic(row.thread_id)],
    isMembersOwn,
  };
}

/**
 * Entry with only the changed reaction: sending the whole message at each reaction would be too much for popular
 * messages.
 */
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
 * Entry that makes moderators and each member of a thread (on their own topic) reload it.
 *
 * @param to members, including a member who just left
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

/** The same, also published to the readers of the thread. */
export function shownThreadEntry(
  threadId: string,
  verb: string,
  to: readonly string[],
  more: Partial<Entry> = {},
): Entry {
  return threadEntry(threadId, verb, to, { topics: ["threads", threadTopic(threadId), ...to.map(ownTopic)], ...more });
}

/** Entry for a reader's other devices. */
export function readEntry(threadId: string, userId: string, unread: number): Entry {
  const topics = [ownTopic(userId)];
  return { noun: "thread", id: threadId, verb: "read", topics, payload: { unread_count: unread }, isMembersOwn: true };
}
