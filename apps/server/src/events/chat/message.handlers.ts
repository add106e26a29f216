import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { ChatService } from "@followspot/contract/chat";
import { ListQuerySchema } from "@followspot/contract/list";
import { requireCaller, type Caller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { alreadyExists, conflict, denied } from "../../platform/errors.ts";
import { readPage } from "../../platform/database/lists.ts";
import type { TellNow } from "../../platform/live-events/passing-envelopes.ts";
import { messageEntry, reactionEntry, readEntry, threadEntry, threadTopic } from "./chat-entries.ts";
import { toMessage } from "./chat-message.ts";
import { MAX_EMOJI, noMessage, noThread, requireClientId, requireEmoji, requireText } from "./chat-rules.ts";
import { enterThread, isModerator, lookIntoThread } from "./membership.ts";
import * as messages from "./messages.store.ts";
import type { MessageRow } from "./messages.store.ts";
import * as threads from "./threads.store.ts";
import type { LockedThread } from "./threads.store.ts";
import { TypingPace } from "./typing-pace.ts";

const PAGE = 50;

type Handlers = Pick<
  ServiceImpl<typeof ChatService>,
  | "listMessages"
  | "sendMessage"
  | "editMessage"
  | "deleteMessage"
  | "addReaction"
  | "removeReaction"
  | "markRead"
  | "sendTyping"
>;

/** Handlers for messages. Lock order: caller, thread. */
export function messageHandlers(sql: Sql, tellNow: TellNow): Handlers {
  const pace = new TypingPace();
  return {
    listMessages: async (request, context) => {
      const caller = requireCaller(context);
      if (!(await threads.isMember(sql, request.threadId, caller.userId)))
        await writeDownLook(request.threadId, caller);
      const query = create(ListQuerySchema, { pageSize: request.pageSize || PAGE, pageToken: request.pageToken });
      const scope = sql`m.thread_id = ${request.threadId}`;
      const { rows, nextPageToken } = await readPage<MessageRow>(sql, messages.MESSAGE_LIST, query, scope);
      return { messages: rows.map(toMessage), nextPageToken };
    },

    sendMessage: async (request, context) => {
      const caller = requireCaller(context);
      const text = requireText(request.text);
      const client_id = requireClientId(request.clientId);
      const answer = change(sql, caller, async (tx) => {
        const thread = await enterThread(tx, request.threadId, caller);
        const [sent, members] = await Promise.all([
          client_id === null ? undefined : messages.findSent(tx, caller.userId, client_id),
          threads.toldMembers(tx, thread.id),
        ]);
        if (sent && sent.thread_id !== thread.id) throw takenClientId();
        if (sent) return done({ message: toMessage(sent) });
        const message = await messages.insertMessage(tx, thread.id, { user_id: caller.userId, client_id, text });
        return done(
          { message: toMessage(message) },
          messageEntry("created", message),
          threadEntry(thread.id, "updated", members),
        );
      });
      return answer.catch((error: unknown) => {
        // Possible for two threads at once; within one thread the second request waits for the first.
        if ((error as { constraint_name?: string }).constraint_name === "chat_messages_once") throw takenClientId();
        throw error;
      });
    },

    editMessage: (request, context) => {
      const caller = requireCaller(context);
      const text = requireText(request.text);
      return change(sql, caller, async (tx) => {
        const { thread, message } = await enterMessage(tx, request.messageId, caller);
        if (message.user_id !== caller.userId) throw denied("Only the one who wrote a message can change it.");
        if (message.deleted_at) throw conflict("This message was deleted; write a new one.");
        if (message.text === text) return done({ message: toMessage(message) });
        await messages.setText(tx, message.id, text);
        const after = await again(tx, message);
        return done(
          { message: toMessage(after) },
          messageEntry("updated", after),
          ...(await ofLast(tx, thread, after)),
        );
      });
    },

    deleteMessage: (request, context) => {
      const caller = requireCaller(context);
      return change(sql, caller, async (tx) => {
        const { thread, message } = isModerator(caller)
          ? await holdMessage(tx, request.messageId)
          : await enterMessage(tx, request.messageId, caller);
        const isOwn = message.user_id === caller.userId;
        if (!isOwn && !isModerator(caller)) {
          throw denied("Only the one who wrote a message, or an Admin, can delete it.");
        }
        if (message.deleted_at) return done({ success: true });
        await messages.clearMessage(tx, message.id, !isOwn);
        const after = await again(tx, message);
        // Also if it was not the last message: unread counts may decrease.
        const told = threadEntry(thread.id, "updated", await threads.toldMembers(tx, thread.id));
        return done({ success: true }, messageEntry("deleted", after, isOwn), told);
      });
    },

    addReaction: (request, context) => {
      const caller = requireCaller(context);
      const emoji = requireEmoji(request.emoji);
      return change(sql, caller, async (tx) => {
        const { message } = await enterMessage(tx, request.messageId, caller);
        if (message.deleted_at) throw conflict("This message was deleted; reactions are closed.");
        const given = message.reactions ?? [];
        if (given.length >= MAX_EMOJI && !given.some((each) => each.emoji === emoji)) {
          throw conflict(`A message can have ${MAX_EMOJI} different emoji; choose one it has already.`);
        }
        if (!(await messages.addReaction(tx, message.id, caller.userId, emoji)))
          return done({ message: toMessage(message) });
        const after = await again(tx, message);
        return done({ message: toMessage(after) }, reactionEntry("added", after, caller.userId, emoji));
      });
    },

    removeReaction: (request, context) => {
      const caller = requireCaller(context);
      const emoji = requireEmoji(request.emoji);
      return change(sql, caller, async (tx) => {
        const { message } = await enterMessage(tx, request.messageId, caller);
        if (!(await messages.removeReaction(tx, message.id, caller.userId, emoji))) {
          return done({ message: toMessage(message) });
        }
        const after = await again(tx, message);
        return done({ message: toMessage(after) }, reactionEntry("removed", after, caller.userId, emoji));
      });
    },

    markRead: (request, context) => {
      const caller = requireCaller(context);
      return change(sql, caller, async (tx) => {
        const [row, message] = await Promise.all([
          threads.findThread(tx, request.threadId, caller.userId),
          messages.findMessage(tx, request.messageId),
        ]);
        if (!row?.is_member) throw noThread();
        if (message?.thread_id !== row.id) throw noMessage();
        const moved = await threads.moveRead(tx, row.id, caller.userId, message.number);
        if (!moved) return done({ success: true, unreadCount: row.unread_count });
        const after = await threads.findThread(tx, row.id, caller.userId);
        const unread = after?.unread_count ?? 0;
        return done({ success: true, unreadCount: unread }, readEntry(row.id, caller.userId, unread));
      });
    },

    sendTyping: async (request, context) => {
      const { userId, name } = requireCaller(context);
      if (!(await threads.isMember(sql, request.threadId, userId))) throw noThread();
      if (pace.isDue(request.threadId, userId)) {
        tellNow(threadTopic(request.threadId), "typing.started", {
          thread_id: request.threadId,
          user_id: userId,
          user_name: name,
        });
      }
      return {};
    },
  };

  /** Audits by name that a moderator reads a thread of others. */
  async function writeDownLook(threadId: string, caller: Caller): Promise<void> {
    const { id } = await lookIntoThread(sql, threadId, caller);
    await change(sql, caller, async () => done(undefined, { noun: "thread", id, verb: "inspected", topics: [] }));
  }
}

interface Held {
  readonly thread: LockedThread;
  readonly message: MessageRow;
}

/** Locks a thread that the caller is in, and returns it with one of its messages. */
async function enterMessage(tx: Tx, id: string, caller: Caller): Promise<Held> {
  const found = await messages.findMessage(tx, id);
  if (!found) throw noMessage();
  const thread = await enterThread(tx, found.thread_id, caller, noMessage);
  return { thread, message: await again(tx, found) };
}

/** The same for a moderator, who need not be a member. */
async function holdMessage(tx: Tx, id: string): Promise<Held> {
  const found = await messages.findMessage(tx, id);
  const thread = found && (await threads.lockThread(tx, found.thread_id));
  if (!thread) throw noMessage();
  return { thread, message: await again(tx, found) };
}

/** Reads the message again under the lock of its thread. */
async function again(tx: Tx, { id }: MessageRow): Promise<MessageRow> {
  const message = await messages.findMessage(tx, id);
  if (!message) throw noMessage();
  return message;
}

/** Entry for lists of threads, which show the last message; none if another message changed. */
async function ofLast(tx: Tx, thread: LockedThread, message: MessageRow) {
  if (message.number !== thread.last_number) return [];
  return [threadEntry(thread.id, "updated", await threads.toldMembers(tx, thread.id))];
}

const takenClientId = () =>
  alreadyExists("clientId: you sent another message under it; give every message an id of its own");
