import type { Thread } from "@followspot/contract/chat";
import { useVirtualizer } from "@tanstack/react-virtual";
import { UserRound, UsersRound } from "lucide-react";
import { useEffect, useRef } from "react";
import { useSession } from "../auth/session.ts";
import { toDate } from "../lib/formatting.ts";
import type { ListView } from "../lib/use-list-screen.ts";
import { cx } from "../ui/class-names.ts";
import { ListNotice, MoreRow } from "../ui/list-notices.tsx";
import { EmptyState, ErrorState, Loading, NoMatch } from "../ui/states.tsx";
import { Thumbnail } from "../ui/thumbnail.tsx";
import { chatStrings as text } from "./chat.strings.ts";
import { shortTime } from "./message-time.ts";
import { lastLine, threadTitle, unreadText } from "./thread-words.ts";

const ROW_PX = 60;
const ROWS_AHEAD = 10;

/** Thread list with the last message and the unread count. */
export function ThreadList({
  list,
  empty,
  ...row
}: {
  readonly list: ListView<Thread>;
  readonly empty: string;
} & RowProps) {
  if (list.phase === "loading") return <Loading />;
  if (list.phase === "failed") return <ErrorState prefix={text.loadError} error={list.error} onRetry={list.retry} />;
  if (list.rows.length === 0) return list.isFiltered ? <NoMatch onClear={list.clear} /> : <EmptyState text={empty} />;
  return (
    <>
      <ListNotice list={list} />
      <Rows list={list} {...row} />
      <MoreRow list={list} />
    </>
  );
}

interface RowProps {
  /** Whether the last message is hidden, as in moderators' lists. */
  readonly isSilent: boolean;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}

function Rows({ list, ...row }: { readonly list: ListView<Thread> } & RowProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, hasMore, isLoadingMore, moreError, loadMore } = list;
  // oxlint-disable-next-line react/incompatible-library -- nothing memoises its functions: there is no React Compiler
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 5,
    initialRect: { width: 0, height: ROW_PX * 10 },
  });
  const last = virtualizer.range?.endIndex ?? 0;
  const needsMore = hasMore && !isLoadingMore && moreError === undefined && last >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (needsMore) loadMore();
  });
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
      <ul aria-label={text.threads} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const thread = rows[index];
          return thread && <Row key={thread.id} thread={thread} top={start} {...row} />;
        })}
      </ul>
    </div>
  );
}

function Row({ thread, top, isSilent, openId, onOpen }: { readonly thread: Thread; readonly top: number } & RowProps) {
  const { id } = useSession();
  const isOpen = thread.id === openId;
  const unread = isOpen ? 0 : thread.unreadCount;
  const others = thread.members.filter(({ userId }) => userId !== id);
  const [only] = others;
  const at = toDate(thread.lastMessageAt);
  return (
    <li className="absolute inset-x-0" style={{ top, height: ROW_PX }}>
      <button
        type="button"
        aria-current={isOpen || undefined}
        onClick={() => onOpen(thread.id)}
        className={cx(
          "flex size-full items-center gap-3 border-b px-3 text-left -outline-offset-2 hover:bg-raised/50",
          isOpen && "bg-raised",
        )}
      >
        <Thumbnail
          round
          src={thread.memberIds.length === 2 && only ? only.photoUrl : ""}
          fallback={thread.memberIds.length > 2 ? <UsersRound size={16} /> : <UserRound size={16} />}
        />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={cx("min-w-0 flex-1 truncate", unread > 0 ? "font-semibold" : "font-medium")}>
              {threadTitle(thread, id)}
            </span>
            <span className="shrink-0 text-xs text-muted">{at && shortTime(at)}</span>
          </span>
          <span className="flex items-center gap-2">
            <span className={cx("min-w-0 flex-1 truncate text-xs", unread > 0 ? "text-fg" : "text-muted")}>
              {isSilent ? text.thread.members(thread.memberIds.length) : lastLine(thread, id)}
            </span>
            {unread > 0 && (
              <span className="shrink-0 rounded-full bg-accent px-1.5 text-xs font-medium text-accent-fg">
                <span aria-hidden>{unreadText(unread)}</span>
                <span className="sr-only">{text.unread(unreadText(unread))}</span>
              </span>
            )}
          </span>
        </span>
      </button>
    </li>
  );
}
