import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ChevronRight } from "lucide-react";
import { useId, useState, type FormEvent } from "react";
import type { MessageLine } from "@followspot/contract/queues";
import { errorSentence } from "../lib/errors.ts";
import { byteSize, dateTime, toDate } from "../lib/formatting.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Drawer } from "../ui/drawer.tsx";
import { SearchField, TextField } from "../ui/fields.tsx";
import { RefreshBar } from "../ui/progress.tsx";
import { EmptyState, Loading } from "../ui/states.tsx";
import { MessageView } from "./message-view.tsx";
import { useMessages, type PageFrom } from "./messages.queries.ts";
import { messagesStrings as text } from "./messages.strings.ts";

interface BrowserProps {
  readonly stream: string;
  /** Subject filter; empty for all subjects. */
  readonly subject: string;
  /** Position in the stream; undefined for the newest messages. */
  readonly from: PageFrom | undefined;
  readonly onGo: (from: PageFrom | undefined, subject: string) => void;
  readonly onClose: () => void;
}

/** Drawer with the messages of a stream, newest first, page by page. */
export function MessageBrowser({ stream, subject, from, onGo, onClose }: BrowserProps) {
  const [isFollowed, setFollowed] = useState(false);
  const [wanted, setWanted] = useState("");
  const { data, error, isPending, isFetching, refetch } = useMessages(stream, subject, from, isFollowed);
  const goTo = (place: PageFrom | undefined, filter = subject) => {
    // Opening an earlier page ends following, so that the page stays.
    if (place !== undefined) setFollowed(false);
    onGo(place, filter);
    if (place === undefined && from === undefined) void refetch();
  };
  const follow = () => {
    setFollowed(!isFollowed);
    if (!isFollowed && from !== undefined) onGo(undefined, subject);
  };
  const messages = data?.messages.filter((line) => holds(line, wanted)) ?? [];
  const isEmpty = data !== undefined && data.firstSequence > data.lastSequence;
  return (
    <Drawer
      wide
      title={text.openOf(stream)}
      onClose={onClose}
      above={
        <div className="flex shrink-0 flex-col gap-2 border-b px-4 py-3">
          <JumpForm begun={subject} onJump={goTo} />
          <div role="group" aria-label={text.pages} className="flex flex-wrap items-center gap-2">
            <Button onClick={() => goTo(undefined)}>{text.newest}</Button>
            <TurnButton to={data?.newerAfter} onTurn={(value) => goTo({ case: "after", value })}>
              {text.newer}
            </TurnButton>
            <TurnButton to={data?.olderBefore} onTurn={(value) => goTo({ case: "before", value })}>
              {text.older}
            </TurnButton>
            <Button onClick={() => goTo({ case: "after", value: 0n })}>{text.oldest}</Button>
            <Button aria-pressed={isFollowed} variant={isFollowed ? "primary" : "secondary"} onClick={follow}>
              {text.follow}
            </Button>
            <SearchField label={text.find} hint={text.find} value={wanted} onSearch={setWanted} />
            {data && !isEmpty && (
              <span className="text-xs text-muted">
                {wanted
                  ? text.found(messages.length, data.messages.length)
                  : text.range(String(data.firstSequence), String(data.lastSequence))}
              </span>
            )}
          </div>
        </div>
      }
    >
      <RefreshBar active={isFetching && !isPending && !isFollowed} />
      {error && (
        <p role="alert" className="px-4 py-3 text-danger">
          {text.unread(errorSentence(error))}
        </p>
      )}
      {isPending && <Loading />}
      {data?.messages.length === 0 && <EmptyState text={isEmpty ? text.isEmpty : text.noMatch} />}
      <ul aria-label={text.list}>
        {messages.map((line) => (
          <MessageRow key={`${line.sequence} ${line.subject}`} stream={stream} line={line} />
        ))}
      </ul>
    </Drawer>
  );
}

/** Whether a message contains the text in its subject or preview. */
const holds = ({ subject, preview }: MessageLine, wanted: string): boolean =>
  `${subject} ${preview}`.toLowerCase().includes(wanted.trim().toLowerCase());

interface TurnProps {
  /** Sequence number to page to; undefined or 0 at the end. */
  readonly to: bigint | undefined;
  readonly onTurn: (to: bigint) => void;
  readonly children: string;
}

/** Paging button. At the end it does nothing but keeps the focus. */
function TurnButton({ to, onTurn, children }: TurnProps) {
  return (
    <Button
      aria-disabled={!to}
      className="aria-disabled:cursor-not-allowed aria-disabled:opacity-50"
      onClick={() => to && onTurn(to)}
    >
      {children}
    </Button>
  );
}

/** Form to jump by subject, sequence number or time. A number takes precedence over a time. */
function JumpForm({
  begun,
  onJump,
}: {
  /** Initial subject filter. */
  readonly begun: string;
  readonly onJump: (place: PageFrom | undefined, subject: string) => void;
}) {
  const [subject, setSubject] = useState(begun);
  const [number, setNumber] = useState("");
  const [time, setTime] = useState("");
  const jump = (submission: FormEvent) => {
    submission.preventDefault();
    onJump(placeOf(number.trim(), time), subject.trim());
  };
  return (
    <form onSubmit={jump} className="grid grid-cols-2 items-end gap-2 sm:grid-cols-[1fr_7rem_13rem_auto]">
      <div className="max-sm:col-span-2">
        <TextField
          label={text.subject}
          placeholder={text.subjectHint}
          className="font-mono"
          value={subject}
          onChange={(change) => setSubject(change.target.value)}
        />
      </div>
      <TextField
        label={text.number}
        type="number"
        min={1}
        value={number}
        onChange={(change) => setNumber(change.target.value)}
      />
      <TextField
        label={text.time}
        type="datetime-local"
        step={1}
        value={time}
        onChange={(change) => setTime(change.target.value)}
      />
      <Button large type="submit" className="max-sm:col-span-2">
        {text.jump}
      </Button>
    </form>
  );
}

/** Returns the position for a sequence number or a time; undefined if neither is given. */
function placeOf(number: string, time: string): PageFrom | undefined {
  if (/^\d{1,15}$/.test(number) && Number(number) > 0) return { case: "before", value: BigInt(number) + 1n };
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? undefined : { case: "until", value: timestampFromDate(moment) };
}

function MessageRow({ stream, line }: { readonly stream: string; readonly line: MessageLine }) {
  const view = useId();
  const [isOpen, setOpen] = useState(false);
  const at = toDate(line.at);
  return (
    <li className="border-b border-border">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? view : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-start gap-2 px-4 py-2 text-left hover:bg-raised"
      >
        <ChevronRight aria-hidden size={14} className={cx("mt-0.5 shrink-0 text-muted", isOpen && "rotate-90")} />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex flex-wrap items-baseline gap-x-3 text-xs">
            <span className="font-mono font-medium tabular-nums">{String(line.sequence)}</span>
            <span className="min-w-0 flex-1 basis-48 font-mono wrap-anywhere">{line.subject}</span>
            <span className="text-muted">{byteSize(line.bytes)}</span>
            <span className="text-muted">{at && dateTime(at)}</span>
          </span>
          {!isOpen && <span className="truncate font-mono text-xs text-muted">{line.preview}</span>}
        </span>
      </button>
      {isOpen && (
        <div id={view} className="px-4 pb-3">
          <MessageView stream={stream} sequence={line.sequence} />
        </div>
      )}
    </li>
  );
}
