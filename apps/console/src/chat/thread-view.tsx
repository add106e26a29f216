import type { Message, Thread } from "@followspot/contract/chat";
import { ArrowLeft, UsersRound } from "lucide-react";
import { useState } from "react";
import { useSession } from "../auth/session.ts";
import { errorSentence, isNotFound } from "../lib/errors.ts";
import { useStore } from "../lib/store.ts";
import { strings } from "../lib/strings.ts";
import { liveState } from "../realtime/live-state.ts";
import { Button } from "../ui/button.tsx";
import { DeleteDialog } from "../ui/delete-dialog.tsx";
import { Menu } from "../ui/menu.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { useChatCalls, useMessages, useThread } from "./chat.queries.ts";
import { chatStrings } from "./chat.strings.ts";
import { Composer } from "./composer.tsx";
import { LeaveDialog, MembersDialog } from "./members-dialog.tsx";
import { MessageList } from "./message-list.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { threadTitle, writerName } from "./thread-words.ts";
import { useLiveThread, useMarkRead } from "./use-live-thread.ts";

const text = chatStrings.thread;

interface ViewProps {
  readonly threadId: string;
  /** Name of the open dialog of the thread. */
  readonly dialog: string | undefined;
  readonly onDialog: (dialog: string | undefined) => void;
  readonly onClose: () => void;
}

/** Open thread with members, messages and input. */
export function ThreadView(props: ViewProps) {
  const { data: thread, error, refetch } = useThread(props.threadId);
  // Also applies to an open thread from which the user was removed.
  const isTheirs = !isNotFound(error);
  if (thread && isTheirs) return <OpenThread {...props} thread={thread} />;
  if (!error) return <Loading />;
  return (
    <>
      <div className="flex shrink-0 border-b px-3 py-1.5 md:hidden">
        <BackButton onClose={props.onClose} />
      </div>
      {isTheirs ? (
        <ErrorState prefix={text.threadError} error={error} onRetry={() => void refetch()} />
      ) : (
        <EmptyState text={errorSentence(error)} />
      )}
    </>
  );
}

function OpenThread({ thread, dialog, onDialog, onClose }: ViewProps & { readonly thread: Thread }) {
  const { id } = useSession();
  const calls = useChatCalls();
  const pages = useMessages(thread.id);
  const [isAtEnd, setAtEnd] = useState(true);
  const [doomed, setDoomed] = useState<Message>();
  const { messages } = pages;
  const newest = messages.at(-1);
  const typing = useLiveThread(thread.id, thread.isMember);
  useMarkRead(newest, isAtEnd, thread.isMember);
  // With live events there are no polls, so only the socket reveals a lost connection.
  const isOffline = useStore(liveState) === "offline" || pages.fetchStatus === "paused";
  const title = threadTitle(thread, id);
  const close = () => onDialog(undefined);
  return (
    <>
      <header className="flex shrink-0 items-center gap-2 border-b px-3 py-1.5">
        <BackButton onClose={onClose} />
        <div className="min-w-0 flex-1">
          <h2 className="line-clamp-2 text-sm font-semibold wrap-anywhere">{title}</h2>
          {thread.eventTitle && <p className="truncate text-xs text-muted">{text.about(thread.eventTitle)}</p>}
        </div>
        <Button onClick={() => onDialog("members")}>
          <span className="max-sm:sr-only">{text.members(thread.memberIds.length)}</span>
          <span aria-hidden className="flex items-center gap-1.5 sm:hidden">
            <UsersRound size={14} /> {thread.memberIds.length.toLocaleString("en")}
          </span>
        </Button>
        {thread.isMember ? (
          <Menu
            text={text.options}
            actions={[
              { label: text.rename, onSelect: () => onDialog("rename") },
              { label: text.leave, onSelect: () => onDialog("leave") },
            ]}
          />
        ) : (
          <Button onClick={() => void pages.refetch()}>{text.readAgain}</Button>
        )}
      </header>
      {!thread.isMember && (
        <p role="note" className="shrink-0 border-b bg-raised px-3 py-1.5 text-xs text-warn">
          {text.moderating}
        </p>
      )}
      {pages.data && (pages.isRefetchError || isOffline) && (
        <div role="status" className="flex shrink-0 items-center gap-3 border-b bg-raised px-3 py-1.5 text-xs">
          <span className="min-w-0 wrap-anywhere text-warn">
            {pages.isRefetchError ? text.stale(errorSentence(pages.error)) : text.offline}
          </span>
          <Button className="ml-auto" onClick={() => void pages.refetch()}>
            {strings.retry}
          </Button>
        </div>
      )}
      {pages.data ? (
        <MessageList
          thread={thread}
          messages={messages}
          hasOlder={pages.hasNextPage}
          isLoadingOlder={pages.isFetchingNextPage}
          olderError={pages.isFetchNextPageError ? pages.error : undefined}
          onOlder={() => void pages.fetchNextPage()}
          onAtEnd={setAtEnd}
          onDelete={setDoomed}
        />
      ) : pages.isError ? (
        <ErrorState prefix={text.loadError} error={pages.error} onRetry={() => void pages.refetch()} />
      ) : (
        <Loading />
      )}
      <p role="status" className="h-5 shrink-0 truncate px-3 text-xs text-muted">
        {typing.length > 0 && text.typing(typing)}
      </p>
      {thread.isMember && <Composer threadId={thread.id} title={title} />}
      {doomed && (
        <DeleteDialog
          title={chatStrings.message.deleteTitle}
          question={
            doomed.userId === id ? chatStrings.message.deleteOwn : chatStrings.message.deleteOthers(writerName(doomed))
          }
          done={chatStrings.message.wasDeleted}
          remove={async () => {
            await calls.deleteMessage(doomed.id);
            // Moderators receive no live events of the thread.
            if (!thread.isMember) await pages.refetch();
          }}
          onClose={() => setDoomed(undefined)}
        />
      )}
      {dialog === "members" && <MembersDialog thread={thread} onClose={close} />}
      {dialog === "rename" && thread.isMember && <RenameDialog thread={thread} onClose={close} />}
      {dialog === "leave" && thread.isMember && (
        <LeaveDialog thread={thread} title={title} onClose={close} onLeft={onClose} />
      )}
    </>
  );
}

function BackButton({ onClose }: { readonly onClose: () => void }) {
  return (
    <button
      type="button"
      aria-label={text.back}
      onClick={onClose}
      className="rounded-md p-1 text-muted hover:bg-raised hover:text-fg md:hidden"
    >
      <ArrowLeft aria-hidden size={16} />
    </button>
  );
}
