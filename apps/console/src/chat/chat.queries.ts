import { ChatService, type Thread } from "@followspot/contract/chat";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useChange } from "../lib/list-refresh.ts";
import { caller, methodKey, pagesOf, type ListSource } from "../lib/list-source.ts";
import { inOrder, type MessagePage } from "./chat-pages.ts";

const rpc = ChatService.method;
const PAGE = 50;

export const MY_THREADS: ListSource<Thread> = {
  name: "threads",
  ...pagesOf(rpc.listThreads, ({ threads }) => threads),
  id: ({ id }) => id,
};

/** List source for moderators: every thread, or the threads of one user. */
export const allThreads = (userId: string): ListSource<Thread> => ({
  name: "all threads",
  ...pagesOf(rpc.listAllThreads, ({ threads }) => threads, { userId }),
  scope: userId,
  id: ({ id }) => id,
});

export const threadKey = (id: string) => [...methodKey(rpc.getThread), id] as const;

export function useThread(threadId: string) {
  const transport = useTransport();
  return useQuery({
    queryKey: threadKey(threadId),
    queryFn: async ({ signal }) => (await caller(transport, signal)(rpc.getThread, { threadId })).thread ?? null,
  });
}

export const messagesKey = (threadId: string) =>
  [...createConnectQueryKey({ schema: rpc.listMessages, cardinality: "infinite" }), threadId] as const;

/** Queries the messages of a thread, oldest first; `fetchNextPage` loads older ones. */
export function useMessages(threadId: string) {
  const transport = useTransport();
  const pages = useInfiniteQuery({
    queryKey: messagesKey(threadId),
    queryFn: async ({ pageParam, signal }): Promise<MessagePage> => {
      const { messages, nextPageToken } = await caller(transport, signal)(rpc.listMessages, {
        threadId,
        pageSize: PAGE,
        pageToken: pageParam,
      });
      return { messages, nextPageToken };
    },
    initialPageParam: "",
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    structuralSharing: false,
  });
  const messages = useMemo(() => inOrder(pages.data?.pages ?? []), [pages.data]);
  return { ...pages, messages };
}

/** Chat actions. Each refetches the thread lists afterwards. */
export function useChatCalls() {
  const cache = useQueryClient();
  const change = useChange(MY_THREADS, { method: rpc.listAllThreads });
  const keep = <Answer extends { readonly thread?: Thread | undefined }>(answer: Answer): Answer => {
    if (answer.thread) cache.setQueryData(threadKey(answer.thread.id), answer.thread);
    return answer;
  };
  return {
    create: (fields: { title: string; memberIds: string[]; clientId: string }) =>
      change(rpc.createThread, fields).then(keep),
    rename: (threadId: string, title: string) => change(rpc.updateThread, { threadId, title }).then(keep),
    add: (threadId: string, userId: string) => change(rpc.addMember, { threadId, userId }).then(keep),
    remove: (threadId: string, userId: string) => change(rpc.removeMember, { threadId, userId }).then(keep),
    send: (threadId: string, text: string, clientId: string) => change(rpc.sendMessage, { threadId, text, clientId }),
    edit: (messageId: string, text: string) => change(rpc.editMessage, { messageId, text }),
    deleteMessage: (messageId: string) => change(rpc.deleteMessage, { messageId }),
    react: (messageId: string, emoji: string) => change(rpc.addReaction, { messageId, emoji }),
    unreact: (messageId: string, emoji: string) => change(rpc.removeReaction, { messageId, emoji }),
  };
}
