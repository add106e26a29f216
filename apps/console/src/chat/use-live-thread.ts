import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ChatService, MessageSchema, type Message } from "@followspot/contract/chat";
import { useTransport } from "@connectrpc/connect-query";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useSession } from "../auth/session.ts";
import { caller } from "../lib/list-source.ts";
import { listen } from "../realtime/listeners.ts";
import { withMessage, withReaction, type MessagePages, type ReactionChange } from "./chat-pages.ts";
import { messagesKey, threadKey } from "./chat.queries.ts";
import { refreshThreads } from "./listen-to-threads.ts";

/** Time after which a typing indicator expires without a new notification, ms. */
const TYPING_MS = 5000;

/** Stores a message from a live event or a response in the cache. */
export function keepMessage(cache: QueryClient, message: Message): void {
  keep(cache, message.threadId, (held) => withMessage(held, message));
}

/** Applies a reaction change to the cached message. */
export function keepReaction(cache: QueryClient, threadId: string, reaction: ReactionChange): void {
  keep(cache, threadId, (held) => withReaction(held, reaction));
}

/**
 * Changes the cached messages of a thread. A pending response may be older and would undo the change, so the change is applied
 * again after the response arrives.
 *
 * @param change returns undefined if messages are missing; the thread is then refetched
 */
function keep(cache: QueryClient, threadId: string, change: (held: MessagePages) => MessagePages | undefined): void {
  const key = messagesKey(threadId);
  const make = () => {
    const held = cache.getQueryData<MessagePages>(key);
    if (!held) return;
    const next = change(held);
    if (next) cache.setQueryData(key, next);
    else void cache.invalidateQueries({ queryKey: key });
  };
  make();
  const reading = cache.getQueryCache().find({ queryKey: key });
  if (reading && reading.state.fetchStatus !== "idle") reading.promise?.then(make, () => undefined); // the screen shows the load error and a retry
}

/**
 * Subscribes to the live events of a thread.
 *
 * @param isFollowed whether to subscribe; allowed for members only
 * @returns names of the users who are typing
 */
export function useLiveThread(threadId: string, isFollowed: boolean): readonly string[] {
  const cache = useQueryClient();
  const { id } = useSession();
  const [typing, setTyping] = useState<ReadonlyMap<string, string>>(new Map());
  const [timers] = useState(() => new Map<string, ReturnType<typeof setTimeout>>());

  const stopTyping = (userId: string) => {
    clearTimeout(timers.get(userId));
    timers.delete(userId);
    setTyping((before) => (before.has(userId) ? new Map([...before].filter(([who]) => who !== userId)) : before));
  };
  const startTyping = (userId: string, name: string) => {
    clearTimeout(timers.get(userId));
    timers.set(
      userId,
      setTimeout(() => stopTyping(userId), TYPING_MS),
    );
    setTyping((before) => new Map(before).set(userId, name));
  };
  const readAgain = () => {
    void cache.invalidateQueries({ queryKey: threadKey(threadId) });
    void cache.invalidateQueries({ queryKey: messagesKey(threadId) });
  };
  const hear = useEffectEvent((type: string, payload: Told) => {
    if (type === "typing.started") {
      if (payload.user_id !== id) startTyping(payload.user_id ?? "", payload.user_name ?? "");
    } else if (payload.message !== undefined) {
      const message = fromJson(MessageSchema, payload.message, { ignoreUnknownFields: true });
      if (type === "message.created") stopTyping(message.userId);
      keepMessage(cache, message);
    } else if (payload.emoji !== undefined) {
      const { message_id: messageId = "", user_id: userId = "", emoji } = payload;
      keepReaction(cache, threadId, { messageId, userId, emoji, isGiven: type === "reaction.added" });
    } else readAgain();
  });
  const miss = useEffectEvent(readAgain);
  useEffect(() => {
    if (!isFollowed) return undefined;
    const end = listen(
      `chat.thread.${threadId}`,
      ({ type, payload }) => hear(type, payload as Told),
      () => miss(),
    );
    return () => {
      end();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      setTyping(new Map());
    };
  }, [threadId, isFollowed, timers]);
  return [...typing.values()];
}

interface Told {
  readonly message?: JsonValue;
  readonly user_id?: string;
  readonly user_name?: string;
  readonly message_id?: string;
  readonly emoji?: string;
}

/** Marks the thread as read up to `newest` while its end is visible to the user. */
export function useMarkRead(newest: Message | undefined, isAtEnd: boolean, isMember: boolean): void {
  const transport = useTransport();
  const cache = useQueryClient();
  const [isLooking, setLooking] = useState(() => document.visibilityState === "visible");
  useEffect(() => {
    const look = () => setLooking(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  const { id: messageId, threadId } = newest ?? {};
  useEffect(() => {
    if (!messageId || !threadId || !isAtEnd || !isLooking || !isMember) return;
    caller(transport)(ChatService.method.markRead, { threadId, messageId }).then(
      () => refreshThreads(cache),
      () => undefined, // retried with the next message or visibility change
    );
  }, [messageId, threadId, isAtEnd, isLooking, isMember, transport, cache]);
}
