import { Mic, Music } from "lucide-react";
import { useEffect, useRef } from "react";
import { timeOfDay } from "../lib/formatting.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import type { OrderLine } from "./running-order.ts";
import type { StageTalks } from "./tonight.queries.ts";
import { tonightStrings as text } from "./tonight.strings.ts";

/** List of talks and songs in running order. */
export function OrderBlock({
  lines,
  zone,
  empty,
  stage,
  className,
}: {
  readonly lines: readonly OrderLine[];
  /** Time zone of the event. */
  readonly zone: string | undefined;
  /** Text if there are no entries. */
  readonly empty: string;
  /** Shows talks on the event's stage screen; undefined without an event. */
  readonly stage?: StageTalks | undefined;
  readonly className?: string;
}) {
  const list = useRef<HTMLOListElement>(null);
  const current = lines.find(({ state }) => state === "now")?.key;
  useEffect(() => {
    const line = list.current?.querySelector<HTMLElement>("[aria-current=true]");
    // Scroll only the list, if it has a fixed height. The last finished entry stays in view.
    if (line) list.current?.scrollTo?.({ top: line.offsetTop - line.offsetHeight });
  }, [current]);
  return (
    <section
      aria-label={text.order}
      className={cx("flex min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border bg-surface", className)}
    >
      <h2 className="shrink-0 border-b px-3 py-2 text-xs font-medium text-muted">{text.order}</h2>
      {lines.length === 0 && empty && <p className="p-3 text-sm text-muted">{empty}</p>}
      <ol
        ref={list}
        className="relative min-h-0 overflow-y-auto"
        tabIndex={lines.length > 0 ? 0 : undefined}
        aria-label={text.order}
      >
        {lines.map((line) => (
          <Line key={line.key} line={line} zone={zone} stage={stage} />
        ))}
      </ol>
    </section>
  );
}

function Line({
  line,
  zone,
  stage,
}: {
  readonly line: OrderLine;
  readonly zone: string | undefined;
  readonly stage: StageTalks | undefined;
}) {
  const { kind, title, by, at, really, state, colors, heard } = line;
  const Mark = kind === "talk" ? Mic : Music;
  return (
    <li
      aria-current={state === "now"}
      className={cx(
        "relative flex items-baseline gap-2 border-b px-3 py-1.5 last:border-b-0",
        (state === "now" || state === "due") && "bg-raised",
        state === "over" && "text-muted",
      )}
    >
      <span
        aria-hidden
        className={cx("absolute inset-y-1 left-0 w-1 rounded-r-full", state === "now" && "bg-accent")}
        style={colors.length > 1 ? { backgroundImage: `linear-gradient(${colors.join()})` } : undefined}
      />
      {heard !== undefined && (
        <span
          aria-hidden
          className="absolute inset-x-0 bottom-0 h-0.5 origin-left bg-accent"
          style={{ transform: `scaleX(${heard})` }}
        />
      )}
      <Mark aria-hidden size={13} className="translate-y-0.5 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{title || text.untitled}</span>
        <span className="block truncate text-xs text-muted">{[by, text.state[state]].filter(Boolean).join(" · ")}</span>
        {at !== undefined && really !== undefined && (
          <span className="block text-xs text-warn">
            {text.really(timeOfDay(new Date(really), zone), Math.round((really - at) / 60_000), state === "now")}
          </span>
        )}
      </span>
      {kind === "talk" && stage && <TalkButton line={line} stage={stage} />}
      <span className="min-w-14 shrink-0 text-right text-xs text-muted tabular-nums">
        {at === undefined ? text.noTime : timeOfDay(new Date(at), zone)}
      </span>
    </li>
  );
}

function TalkButton({ line: { id, title, state }, stage }: { readonly line: OrderLine; readonly stage: StageTalks }) {
  const isOn = state === "now";
  const name = title || text.untitled;
  return (
    <Button
      variant={state === "due" ? "primary" : "ghost"}
      className="self-center max-lg:h-11"
      aria-label={isOn ? text.endTalkOf(name) : text.showTalk(name)}
      pending={stage.isPending}
      onClick={() => (isOn ? stage.end() : stage.show(id))}
    >
      {isOn ? text.endTalk : text.show}
    </Button>
  );
}
