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

/** A person of whom nothing comes for so long is not typing any more. */
const TYPING_MS = 5000;

/** Puts a message that was told or answered where it belongs. */
export function keepMessage(cache: QueryClient, message: Message): void {
  keep(cache, message.threadId, (held) => withMessage(held, message));
}

/** Gives a reaction to its message, or takes it away. */
export function keepReaction(cache: QueryClient, threadId: string, reaction: ReactionChange): void {
  keep(cache, threadId, (held) => withReaction(held, reaction));
}

/**
 * Changes what is held of a thread. An answer that is on its way may be older than the change and would undo it: the
 * change is made once more when the answer has come.
 * @param change undefined where messages between are missing: they are read
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
  if (reading && reading.state.fetchStatus !== "idle") reading.promise?.then(make, () => undefined); // the screen says that they could not be read, and asks again
}

/**
 * Follows what is said in a thread.
 * @param isFollowed only its members may
 * @returns who is typing there
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

/** Remembers how far the reader has read, whenever they look at the end of the thread. */
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
      () => undefined, // the next message or look asks again
    );
  }, [messageId, threadId, isAtEnd, isLooking, isMember, transport, cache]);
}
