import type {
  JoinEventThreadResponseJson,
  ListMessagesResponseJson,
  MessageJson,
  SendMessageResponseJson,
} from "@followspot/contract/chat";
import { Send } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { newKey } from "../lib/new-key.ts";
import { useStore } from "../lib/store.ts";
import { call } from "./call.ts";
import { guestStrings } from "./guest.strings.ts";
import { Button, Empty, Problem, useAct } from "./parts.tsx";
import type { TabProps } from "./tabs.ts";
import { clock } from "./times.ts";

const text = guestStrings.chat;
const PAGE_ROWS = 50;
/** Distance from the end of the list within which it scrolls to new messages, pixels. */
const NEAR_END_PX = 80;

/** Thread of the event, which every attendee may join. */
export function ChatTab({ night }: TabProps) {
  const eventId = useStore(night.view).night?.event?.id;
  return eventId === undefined ? (
    <Empty>{text.noEvent}</Empty>
  ) : (
    <Thread key={eventId} night={night} eventId={eventId} />
  );
}

function Thread({ night, eventId }: Pick<TabProps, "night"> & { readonly eventId: string }) {
  const me = useStore(night.view).night?.userId;
  const [threadId, setThreadId] = useState("");
  const [messages, setMessages] = useState<readonly MessageJson[]>([]);
  /** Page token of earlier messages; undefined until the newest were loaded, empty if there are none. */
  const [earlier, setEarlier] = useState<string>();
  const { act, isBusy, problem } = useAct();
  const end = useRef<HTMLDivElement>(null);

  const join = () =>
    act(async () => {
      const { thread } = await call<JoinEventThreadResponseJson>("chat.v1.ChatService/JoinEventThread", { eventId });
      setThreadId(thread?.id ?? "");
    });
  const read = (pageToken: string) =>
    act(async () => {
      const page = await readPage(threadId, pageToken);
      setMessages((held) => (page.messages ?? []).reduce(withMessage, held));
      // Reloading the newest page after a reconnect leaves the token of the earlier messages unchanged.
      setEarlier((before) => (pageToken === "" && before !== undefined ? before : (page.nextPageToken ?? "")));
    });
  const start = useEffectEvent(() => void (threadId === "" ? join() : read("")));
  useEffect(() => {
    start();
    if (threadId === "") return undefined;
    return night.listen(`chat.thread.${threadId}`, {
      hear: ({ payload }) => {
        const { message } = payload as { readonly message?: MessageJson };
        if (message) setMessages((held) => withMessage(held, message));
      },
      miss: () => start(),
    });
  }, [night, threadId]);

  const newest = messages.at(-1)?.id;
  useEffect(() => {
    const list = end.current?.closest("main");
    if (!list) return;
    const isNearEnd = list.scrollHeight - list.scrollTop - list.clientHeight < list.clientHeight / 2 + NEAR_END_PX;
    if (isNearEnd || list.scrollTop === 0) end.current?.scrollIntoView({ block: "end" });
    // the next message marks it, too
    if (newest) call("chat.v1.ChatService/MarkRead", { threadId, messageId: newest }).catch(() => undefined);
  }, [newest, threadId]);

  if (earlier === undefined)
    return problem ? (
      <div className="flex flex-col items-start gap-2">
        <Problem says={problem} />
        <Button disabled={isBusy} onClick={() => void (threadId === "" ? join() : read(""))}>
          {guestStrings.retry}
        </Button>
      </div>
    ) : (
      <p className="text-muted">{guestStrings.loading}</p>
    );
  return (
    <div className="flex flex-1 flex-col gap-3">
      {earlier && (
        <Button disabled={isBusy} onClick={() => void read(earlier)}>
          {text.older}
        </Button>
      )}
      <Problem says={problem} />
      {messages.length === 0 && <Empty>{text.empty}</Empty>}
      <ol aria-label={text.title} className="flex flex-1 flex-col justify-end gap-2">
        {messages.map((message) => (
          <li key={message.id} className="flex gap-2">
            <p className="min-w-0 flex-1 wrap-anywhere">
              <span className="mr-2 font-semibold">
                {message.userId === me ? text.you : message.userName || text.left}
              </span>
              {message.deletedAt === undefined ? message.text : <i className="text-muted">{text.deleted}</i>}
            </p>
            <time dateTime={message.createdAt} className="text-sm text-muted">
              {clock(message.createdAt)}
            </time>
          </li>
        ))}
      </ol>
      <Say threadId={threadId} onSaid={(message) => setMessages((held) => withMessage(held, message))} />
      <div ref={end} />
    </div>
  );
}

function Say({ threadId, onSaid }: { readonly threadId: string; readonly onSaid: (message: MessageJson) => void }) {
  const [words, setWords] = useState("");
  // Resending the same text reuses the idempotency key; another text gets a new one.
  const attempt = useRef({ words: "", key: "" });
  const { act, isBusy, problem } = useAct();
  const send = () =>
    act(async () => {
      if (attempt.current.words !== words.trim()) attempt.current = { words: words.trim(), key: newKey() };
      const { message } = await call<SendMessageResponseJson>("chat.v1.ChatService/SendMessage", {
        threadId,
        text: words.trim(),
        clientId: attempt.current.key,
      });
      if (message) onSaid(message);
      attempt.current = { words: "", key: "" };
      setWords("");
    });
  return (
    <form
      className="sticky bottom-0 flex flex-col gap-1 bg-bg py-2"
      onSubmit={(submission) => {
        submission.preventDefault();
        if (words.trim() !== "") void send();
      }}
    >
      <Problem says={problem} />
      <div className="flex gap-2">
        <input
          aria-label={text.say}
          placeholder={text.say}
          maxLength={8000}
          className="guest-field"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <Button type="submit" aria-label={text.send} disabled={isBusy}>
          <Send aria-hidden size={18} />
        </Button>
      </div>
    </form>
  );
}

const readPage = (threadId: string, pageToken: string) =>
  call<ListMessagesResponseJson>("chat.v1.ChatService/ListMessages", { threadId, pageSize: PAGE_ROWS, pageToken });

const inOrder = (a: MessageJson, b: MessageJson) => (a.number ?? 0) - (b.number ?? 0);

/** Inserts or replaces a message in its position. */
function withMessage(held: readonly MessageJson[], message: MessageJson): readonly MessageJson[] {
  return [...held.filter(({ id }) => id !== message.id), message].toSorted(inOrder);
}
