import { ChatService } from "@followspot/contract/chat";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useChangeSearch } from "../lib/change-search.ts";
import { Plus } from "lucide-react";
import { useMemo } from "react";
import { useCan } from "../auth/can.ts";
import { useListScreen } from "../lib/use-list-screen.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { SearchField } from "../ui/fields.tsx";
import { Page } from "../ui/page.tsx";
import { Segments } from "../ui/segments.tsx";
import { EmptyState } from "../ui/states.tsx";
import { chatSearch, type ChatSearch } from "./chat-search.ts";
import { allThreads, MY_THREADS } from "./chat.queries.ts";
import { chatStrings as text } from "./chat.strings.ts";
import { NewThreadDialog } from "./new-thread-dialog.tsx";
import { ThreadList } from "./thread-list.tsx";
import { ThreadView } from "./thread-view.tsx";

/** Chat screen: thread list on the left, open thread on the right; a narrow screen shows one of them. */
export function ChatPage() {
  const search = chatSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change: (next: ChatSearch) => void = useChangeSearch();
  const open = (thread: string | undefined) =>
    void navigate({ to: ".", search: (old: object) => ({ ...old, thread, open: undefined }) });
  const mayModerate = useCan()(ChatService.method.listAllThreads);
  const isAll = mayModerate && (search.show === "all" || search.user !== undefined);
  const source = useMemo(() => (isAll ? allThreads(search.user ?? "") : MY_THREADS), [isAll, search.user]);
  // "all" selects another list source, not a filter.
  const list = useListScreen(source, [{ ...search, show: undefined }, change]);
  return (
    <Page
      title={text.title}
      beside={
        mayModerate && (
          <Segments
            label={text.showLabel}
            value={isAll ? "all" : ""}
            onChange={(show) => change({ show: show || undefined, user: undefined, thread: undefined })}
            segments={[
              { value: "", label: text.mine },
              { value: "all", label: text.all },
            ]}
          />
        )
      }
      tools={
        <div className={cx("contents", search.thread !== undefined && "max-md:hidden")}>
          <SearchField
            label={text.search}
            hint={isAll ? text.searchAll : text.searchMine}
            value={search.q ?? ""}
            onSearch={(q) => change({ q: q || undefined })}
          />
          <Button variant="primary" onClick={() => change({ open: "new" })}>
            <Plus aria-hidden size={14} /> {text.create}
          </Button>
        </div>
      }
    >
      <div className="flex min-h-0 flex-1 overflow-hidden rounded-lg border bg-surface">
        <section
          aria-label={text.threads}
          className={cx(
            "flex w-full flex-col md:w-72 md:shrink-0 md:border-r lg:w-80",
            search.thread !== undefined && "max-md:hidden",
          )}
        >
          {search.user !== undefined && (
            <p className="flex shrink-0 items-center gap-2 border-b px-3 py-1.5 text-xs text-muted">
              {text.ofPerson}
              <Button className="ml-auto" onClick={() => change({ user: undefined, show: "all" })}>
                {text.everybody}
              </Button>
            </p>
          )}
          <ThreadList
            list={list}
            empty={search.user !== undefined ? text.emptyOfPerson : isAll ? text.emptyAll : text.empty}
            isSilent={isAll}
            openId={search.thread}
            onOpen={open}
          />
        </section>
        <div className={cx("flex min-w-0 flex-1 flex-col", search.thread === undefined && "max-md:hidden")}>
          {search.thread === undefined ? (
            <EmptyState text={text.choose} />
          ) : (
            <ThreadView
              key={search.thread}
              threadId={search.thread}
              dialog={search.open}
              onDialog={(dialog) => change({ open: dialog })}
              onClose={() => open(undefined)}
            />
          )}
        </div>
      </div>
      {search.open === "new" && (
        <NewThreadDialog
          onClose={() => change({ open: undefined })}
          onDone={(thread) => void navigate({ to: ".", search: () => ({ thread }), replace: true })}
        />
      )}
    </Page>
  );
}
