import type { Message, Thread } from "@followspot/contract/chat";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useEffect, useRef } from "react";
import { useSession } from "../auth/session.ts";
import { errorText } from "../lib/errors.ts";
import { toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/states.tsx";
import { useSize } from "../ui/use-size.ts";
import { chatStrings } from "./chat.strings.ts";
import { MessageRow } from "./message-row.tsx";
import { dayOf } from "./message-time.ts";
import { followsOn, tombstone, writerName } from "./thread-words.ts";

const text = chatStrings.thread;
/** Estimated row height, px: a one-line message under a name. Rows are measured after rendering. */
const USUAL_PX = 48;
const OVERSCAN = 6;
/** Older messages are loaded when fewer than this many rows remain above. */
const ROWS_AHEAD = 10;
/** Distance from the end within which new messages count as read, px. */
const NEAR_END_PX = 60;

/** Virtualized message list, anchored at the end. Older messages load above without moving the visible rows. */
export function MessageList({
  thread,
  messages,
  hasOlder,
  isLoadingOlder,
  olderError,
  onOlder,
  onAtEnd,
  onDelete,
}: {
  readonly thread: Thread;
  /** Messages, oldest first. */
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  /** Error of loading older messages. */
  readonly olderError: unknown;
  readonly onOlder: () => void;
  readonly onAtEnd: (isAtEnd: boolean) => void;
  readonly onDelete: (message: Message) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // The name and date above a message depend on the previous message. The first one is hidden until the previous message is
  // loaded, so that no row changes its height.
  const held = hasOlder ? 1 : 0;
  const rows = messages.length - held;
  // oxlint-disable-next-line react/incompatible-library -- nothing memoises its functions: there is no React Compiler
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => USUAL_PX,
    getItemKey: (index) => messages[index + held]?.id ?? index,
    overscan: OVERSCAN,
    initialRect: { width: 0, height: USUAL_PX * 12 },
    initialOffset: () => rows * USUAL_PX,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: NEAR_END_PX,
    paddingStart: 8,
    paddingEnd: 8,
  });
  const items = virtualizer.getVirtualItems();
  const newest = messages.at(-1);
  const first = virtualizer.range?.startIndex ?? messages.length;
  const isAtEnd = virtualizer.isAtEnd(NEAR_END_PX);
  useEffect(() => onAtEnd(isAtEnd), [isAtEnd, onAtEnd]);
  // Stay at the end when the thread opens, and when a phone's keyboard shrinks the view.
  const isFollowing = useRef(true);
  const { width, height } = useSize(scroller);
  useEffect(() => {
    if (isFollowing.current) virtualizer.scrollToEnd();
  }, [virtualizer, width, height]);
  // Scroll to the user's own new message.
  const { id: readerId } = useSession();
  const own = newest?.userId === readerId ? newest.id : undefined;
  useEffect(() => {
    if (own !== undefined) virtualizer.scrollToEnd();
  }, [virtualizer, own]);
  const needsOlder = hasOlder && !isLoadingOlder && olderError === undefined && first < ROWS_AHEAD;
  useEffect(() => {
    if (needsOlder) onOlder();
  });
  if (messages.length === 0)
    return (
      <div className="min-h-0 flex-1 overflow-auto">
        <EmptyState text={text.empty} />
      </div>
    );
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {olderError !== undefined && (
        <div role="alert" className="flex shrink-0 items-center gap-3 border-b px-3 py-1.5 text-xs">
          <span className="min-w-0 wrap-anywhere text-danger">{text.olderFailed(errorText(olderError))}</span>
          <Button className="ml-auto" onClick={onOlder}>
            {strings.retry}
          </Button>
        </div>
      )}
      {isLoadingOlder && (
        <p role="status" className="absolute inset-x-0 top-1 z-10 text-center text-xs text-muted">
          {text.older}
        </p>
      )}
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={text.messages}
        onScroll={() => (isFollowing.current = virtualizer.isAtEnd(NEAR_END_PX))}
        className="min-h-0 flex-1 overflow-auto -outline-offset-2 [overflow-anchor:none]"
      >
        <ol className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const message = messages[index + held];
            const before = messages[index + held - 1];
            return (
              message && (
                <li
                  key={message.id}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="absolute inset-x-0"
                  style={{ top: start }}
                >
                  {isNewDay(message, before) && <Day message={message} />}
                  <MessageRow
                    thread={thread}
                    message={message}
                    isFollowing={followsOn(message, before) && !isNewDay(message, before)}
                    onDelete={onDelete}
                  />
                </li>
              )
            );
          })}
        </ol>
      </div>
      {!isAtEnd && (
        <Button
          className="absolute right-4 bottom-2 shadow-xl shadow-black/30"
          onClick={() => virtualizer.scrollToEnd({ behavior: "auto" })}
        >
          <ArrowDown aria-hidden size={14} /> {text.toEnd}
        </Button>
      )}
      <p role="log" className="sr-only">
        {newest && `${writerName(newest)}: ${newest.deletedAt ? tombstone(newest) : newest.text}`}
      </p>
    </div>
  );
}

function isNewDay(message: Message, before: Message | undefined): boolean {
  const day = toDate(message.createdAt)?.toDateString();
  return before === undefined || toDate(before.createdAt)?.toDateString() !== day;
}

function Day({ message }: { readonly message: Message }) {
  const at = toDate(message.createdAt);
  return (
    <p className="flex items-center gap-3 px-3 pt-3 pb-1 text-xs text-muted before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
      {at && dayOf(at)}
    </p>
  );
}
