import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { ListSearch } from "../lib/list-search.ts";
import { useListScreen } from "../lib/use-list-screen.ts";
import { allThreads } from "./chat.queries.ts";
import { chatStrings as text } from "./chat.strings.ts";
import { ThreadList } from "./thread-list.tsx";

/** Threads of one user, for moderators, without message text. Selecting one opens it on the Chat screen. */
export function PersonThreads({ userId }: { readonly userId: string }) {
  const navigate = useNavigate();
  const list = useListScreen(
    useMemo(() => allThreads(userId), [userId]),
    useState<ListSearch>({}),
  );
  return (
    <div className="flex h-full flex-col">
      <ThreadList
        list={list}
        empty={text.emptyOfPerson}
        isSilent
        openId={undefined}
        onOpen={(thread) => void navigate({ to: "/chat", search: { show: "all", user: userId, thread } })}
      />
    </div>
  );
}
