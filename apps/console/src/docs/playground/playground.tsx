import { useId, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { SearchField, SelectField, TextAreaField, TextField } from "../../ui/fields.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Status, type Tone } from "../../ui/status.tsx";
import { problemsOf, type MessageProblem } from "./message-problems.ts";
import { playgroundStrings as text } from "./playground.strings.ts";
import { usePlaygroundConnection, type ConnectionState } from "./playground-connection.ts";
import { helloFor, SOCKETS, type SocketName } from "./sockets.ts";
import { matching, type Traffic, type TrafficChange } from "./traffic.ts";

const TONES: Readonly<Record<ConnectionState, Tone>> = { closed: "off", opening: "wait", open: "ok" };

/** Opens a socket as the signed-in person, sends it messages, and shows what goes over it. */
export function Playground() {
  const titleId = useId();
  const [name, setName] = useState<SocketName>("events");
  const [topics, setTopics] = useState("songs events lights");
  const [song, setSong] = useState("");
  const [fault, setFault] = useState<string>();
  const { state, traffic, change, connect, send, disconnect } = usePlaygroundConnection();
  const socket = SOCKETS[name];
  const open = () => {
    if (name === "playback" && song.trim() === "") return setFault(text.songMissing);
    setFault(undefined);
    connect(socket.path(song.trim()), name === "events" ? helloFor(topics) : undefined);
  };
  const choose = (chosen: SocketName) => {
    disconnect();
    setName(chosen);
  };
  return (
    <section aria-labelledby={titleId} className="flex min-w-0 flex-col gap-3">
      <h2 id={titleId} className="text-sm font-semibold">
        {text.title}
      </h2>
      <div className="flex flex-wrap items-center gap-3">
        <Segments
          label={text.socket}
          value={name}
          onChange={choose}
          segments={(["events", "desk", "playback"] as const).map((value) => ({ value, label: text.names[value] }))}
        />
        <span role="status">
          <Status tone={TONES[state]}>{text.states[state]}</Status>
        </span>
      </div>
      {name === "events" && (
        <TextField
          label={text.topics}
          hint={text.topicsHint}
          value={topics}
          onChange={(typed) => setTopics(typed.target.value)}
        />
      )}
      {name === "playback" && (
        <TextField label={text.song} error={fault} value={song} onChange={(typed) => setSong(typed.target.value)} />
      )}
      <div>
        {state === "closed" ? (
          <Button key="connection" variant="primary" onClick={open}>
            {text.connect}
          </Button>
        ) : (
          <Button key="connection" onClick={disconnect}>
            {text.disconnect}
          </Button>
        )}
      </div>
      <MessageForm key={name} socket={name} isOpen={state === "open"} onSend={send} />
      <Log traffic={traffic} change={change} />
    </section>
  );
}

/** A message, begun from an example, with what the server would say against it. */
function MessageForm({
  socket,
  isOpen,
  onSend,
}: {
  readonly socket: SocketName;
  readonly isOpen: boolean;
  readonly onSend: (message: string) => void;
}) {
  const { examples, schema, movesLamps } = SOCKETS[socket];
  const [offered, setOffered] = useState(examples);
  const area = useRef<HTMLTextAreaElement>(null);
  const [message, setMessage] = useState(indented(offered[0]));
  const [fault, setFault] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const problems = problemsOf(message, schema);
  const send = () => {
    setAsking(false);
    // In one line, as programs write it.
    onSend(JSON.stringify(JSON.parse(message)));
  };
  const press = () => {
    setFault(isOpen ? undefined : text.notSent);
    const fatal = problems.find(({ isFatal }) => isFatal);
    if (fatal && area.current) return selectLine(area.current, fatal.line);
    if (!isOpen) return;
    if (movesLamps) setAsking(true);
    else send();
  };
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={text.example}
        value=""
        onChange={({ target }) => {
          setMessage(indented(offered[Number(target.value)]));
          setOffered(examples);
        }}
      >
        <option value="" disabled>
          {text.exampleNames}
        </option>
        {offered.map((example, at) => (
          <option key={at} value={at}>
            {JSON.stringify(example)}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        ref={area}
        label={text.message}
        className="font-mono text-xs"
        rows={Math.min(14, message.split("\n").length + 1)}
        spellCheck={false}
        value={message}
        error={fault}
        onChange={(typed) => setMessage(typed.target.value)}
      />
      <Problems problems={problems} onChoose={(line) => area.current && selectLine(area.current, line)} />
      <div>
        <Button onClick={press}>{text.send}</Button>
      </div>
      <ConfirmDialog
        title={text.sure}
        message={text.sureWhy}
        confirmLabel={text.sendNow}
        open={isAsking}
        onConfirm={send}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}

/** Each leads to its line. */
function Problems({
  problems,
  onChoose,
}: {
  readonly problems: readonly MessageProblem[];
  readonly onChoose: (line: number) => void;
}) {
  return (
    <ul aria-label={text.problems} aria-live="polite" className="text-xs text-warn">
      {problems.map(({ line, why }) => (
        <li key={`${line} ${why}`}>
          <button type="button" className="text-left hover:underline" onClick={() => onChoose(line)}>
            {text.problem(line, why)}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Log({ traffic, change }: { readonly traffic: Traffic; readonly change: (change: TrafficChange) => void }) {
  const [query, setQuery] = useState("");
  const { entries, held, isPaused } = traffic;
  // The newest first: it stands where one looks, and nothing has to be scrolled after it.
  const shown = matching(entries, query).toReversed();
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="mr-auto text-xs font-medium text-muted">{text.log}</h3>
        <SearchField label={text.filter} hint={text.filterHint} value={query} onSearch={setQuery} />
        <Button onClick={() => change({ type: isPaused ? "resume" : "pause" })}>
          {isPaused ? text.resume(held.length) : text.pause}
        </Button>
        <Button onClick={() => change({ type: "clear" })}>{text.clear}</Button>
      </div>
      <div
        role="log"
        aria-label={text.log}
        tabIndex={0}
        className="h-72 overflow-auto rounded-lg border bg-surface font-mono text-xs"
      >
        {shown.length === 0 && (
          <p className="p-3 font-sans text-muted">{entries.length === 0 ? text.empty : text.noMatch}</p>
        )}
        {shown.map(({ id, at, from, text: said }) => (
          <p
            key={id}
            className="grid grid-cols-[5rem_1fr] gap-x-2 sm:grid-cols-[5rem_4.5rem_1fr] border-b px-3 py-1 last:border-b-0"
          >
            <span className="text-muted tabular-nums">{new Date(at).toLocaleTimeString("en-GB")}</span>
            <span className={cx(from === "client" ? "text-accent" : "text-muted")}>{text.from[from]}</span>
            <span className="wrap-anywhere whitespace-pre-wrap max-sm:col-span-2">{said}</span>
          </p>
        ))}
      </div>
    </div>
  );
}

const indented = (message: unknown): string => JSON.stringify(message, null, 2);

/** Puts the cursor on a line, counted from 1, and marks all of it. */
function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split("\n");
  const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
}
