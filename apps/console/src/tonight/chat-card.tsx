import { useMutation as useCallMutation, useQuery as useCall } from "@connectrpc/connect-query";
import { ChatService, type Message, type Thread } from "@followspot/contract/chat";
import type { Event } from "@followspot/contract/event";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMessages } from "../chat/chat.queries.ts";
import { Composer } from "../chat/composer.tsx";
import { tombstone, unreadText, writerName } from "../chat/thread-words.ts";
import { useLiveThread } from "../chat/use-live-thread.ts";
import { errorText } from "../lib/errors.ts";
import { timeOfDay, toDate } from "../lib/formatting.ts";
import { methodKey } from "../lib/list-source.ts";
import { Button } from "../ui/button.tsx";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { Skeleton } from "../ui/states.tsx";
import { Card } from "./card.tsx";
import { tonightStrings } from "./tonight.strings.ts";

const rpc = ChatService.method;
const text = tonightStrings.chat;
/** Number of messages shown; newer ones replace older ones. */
const SHOWN = 6;

/** Latest messages of the event's chat, newest at the bottom, with an input to reply; or a button to join the chat. */
export function ChatCard({ event, className }: { readonly event: Event; readonly className?: string }) {
  const eventId = event.id;
  const { data, error } = useCall(rpc.listThreads, { list: { pageSize: 100 } }, { staleTime: 0 });
  const thread = data?.threads.find((each) => each.eventId === eventId);
  return (
    <Card
      title={text.title}
      {...(className && { className })}
      aside={
        thread && (
          <Link to="/chat" search={{ thread: thread.id }} className="hover:text-fg hover:underline">
            {thread.unreadCount > 0 ? text.unread(unreadText(thread.unreadCount)) : text.open}
          </Link>
        )
      }
    >
      {thread ? (
        <Said thread={thread} zone={event.timeZone} />
      ) : data ? (
        <Join eventId={eventId} />
      ) : error ? (
        <p role="alert" className="text-sm wrap-anywhere text-danger">{`${text.unreadable}: ${errorText(error)}`}</p>
      ) : (
        <Skeleton className="h-8" />
      )}
    </Card>
  );
}

function Said({ thread, zone }: { readonly thread: Thread; readonly zone: string }) {
  const pages = useMessages(thread.id);
  useLiveThread(thread.id, true);
  if (!pages.data)
    return pages.isError ? (
      <p
        role="alert"
        className="text-sm wrap-anywhere text-danger"
      >{`${text.unreadable}: ${errorText(pages.error)}`}</p>
    ) : (
      <Skeleton className="h-8" />
    );
  const newest = pages.messages.slice(-SHOWN);
  return (
    <>
      {newest.length === 0 && <p className="text-sm text-muted">{text.silent}</p>}
      <ol className="flex min-h-0 flex-1 flex-col justify-end gap-1.5 overflow-hidden" aria-live="polite">
        {newest.map((message) => (
          <Line key={message.id} message={message} zone={zone} />
        ))}
      </ol>
      <div className="-mx-3 -mb-3">
        <Composer threadId={thread.id} title={thread.title} />
      </div>
    </>
  );
}

function Line({ message, zone }: { readonly message: Message; readonly zone: string }) {
  const at = toDate(message.createdAt);
  return (
    <li className="flex items-baseline gap-2 text-sm">
      <p className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">
        <span className="font-medium">{writerName(message)}</span>{" "}
        <span className="text-muted">{message.deletedAt ? tombstone(message) : message.text}</span>
      </p>
      <span className="shrink-0 text-xs text-muted tabular-nums">{at && timeOfDay(at, zone)}</span>
    </li>
  );
}

function Join({ eventId }: { readonly eventId: string }) {
  const cache = useQueryClient();
  const join = useCallMutation(rpc.joinEventThread, {
    onError: sayWhy,
    onSettled: () => cache.invalidateQueries({ queryKey: methodKey(rpc.listThreads) }),
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="text-sm text-muted">{text.notIn}</p>
      <Button pending={join.isPending} onClick={() => join.mutate({ eventId })}>
        {text.join}
      </Button>
    </div>
  );
}
