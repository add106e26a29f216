import { ChatService } from "@followspot/contract/chat";
import type { QueryClient } from "@tanstack/react-query";
import { refreshSoon } from "../lib/list-refresh.ts";
import { listen } from "../realtime/listeners.ts";

const { listThreads, countUnread } = ChatService.method;

/** Refetches a user's thread lists and unread count on live events. @returns function that stops listening */
export function listenToThreads(cache: QueryClient, userId: string): () => void {
  const again = () => refreshThreads(cache);
  return listen(`user.${userId}`, ({ type }) => type.startsWith("thread.") && again(), again);
}

export function refreshThreads(cache: QueryClient): void {
  for (const method of [listThreads, countUnread]) refreshSoon(cache, method);
}
