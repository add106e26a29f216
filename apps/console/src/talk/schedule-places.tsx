import { useDroppable, type DragMoveEvent } from "@dnd-kit/core";
import { TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { timeOfDay } from "../lib/formatting.ts";
import { cx } from "../ui/class-names.ts";
import { hoursOf, STEP_PX, TALK_PX, timeAt, topOf, type Column } from "./schedule-layout.ts";
import { talkStrings } from "./talk.strings.ts";
import type { Goal } from "./use-moves.ts";

const text = talkStrings.schedule;

const COLUMN = "column";
const ASIDE = "aside";

/** Talks that have no place on the schedule. Dropped here, a talk loses its time. */
export function Aside({ children }: { readonly children: ReactNode }) {
  const { setNodeRef, isOver } = useDroppable({ id: ASIDE });
  return (
    <section
      ref={setNodeRef}
      className={cx(
        "flex flex-col gap-2 rounded-lg border bg-surface p-3 md:sticky md:top-0",
        isOver && "border-accent",
      )}
    >
      {children}
    </section>
  );
}

/** An hour is 144 pixels high; each has a line and its time. */
export function TimeColumn({
  column,
  zone,
  label,
  children,
}: {
  readonly column: Column;
  /** Of the event. */
  readonly zone: string;
  readonly label: string;
  readonly children: ReactNode;
}) {
  const { setNodeRef } = useDroppable({ id: COLUMN });
  const height = topOf(column.toMs, column);
  return (
    <div className="relative rounded-lg border bg-surface py-3 pr-3 pl-18">
      {/* The last talk of a night reaches below its end. */}
      <div ref={setNodeRef} className="relative" style={{ height: height + TALK_PX - STEP_PX }}>
        {hoursOf(column, zone).map((ms) => (
          <div key={ms} aria-hidden className="absolute right-0 -left-15 border-t" style={{ top: topOf(ms, column) }}>
            <span className="absolute -top-2 bg-surface pr-2 text-xs text-muted">{timeOfDay(new Date(ms), zone)}</span>
          </div>
        ))}
        <NowLine column={column} />
        <ul aria-label={label} className="absolute inset-x-0 top-0" style={{ height }}>
          {children}
        </ul>
      </div>
    </div>
  );
}

const LOOK_MS = 30_000;

/** Where the night is, while it is on. */
function NowLine({ column }: { readonly column: Column }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  if (now < column.fromMs || now >= column.toMs) return null;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute right-0 -left-15 z-10 border-t-2 border-accent"
      style={{ top: topOf(now, column) }}
    >
      <span className="absolute -top-2.5 rounded bg-accent px-1 text-xs leading-4 text-accent-fg">{text.now}</span>
    </div>
  );
}

/** Where the talk on its way would begin. */
export function Shadow({
  isFollowed,
  top,
  across,
  words,
  warnings,
}: {
  /** The page scrolls to where it goes. */
  readonly isFollowed: boolean;
  /** Pixels from the top of the column. */
  readonly top: number;
  /** Its lane among the talks it meets. */
  readonly across: { readonly left: string; readonly width: string };
  readonly words: string;
  readonly warnings: string;
}) {
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isFollowed) place.current?.scrollIntoView({ block: "nearest" });
  }, [isFollowed, top]);
  return (
    <li
      ref={place}
      aria-hidden
      className={cx(
        "pointer-events-none absolute z-20 scroll-my-4 rounded-md border-2 border-dashed bg-bg px-2 py-1",
        warnings === "" ? "border-accent" : "border-warn",
      )}
      style={{ top, ...across, minHeight: TALK_PX }}
    >
      <p className="truncate font-medium">{words}</p>
      {warnings !== "" && (
        <p className="flex gap-1.5 text-xs text-warn">
          <TriangleAlert aria-hidden size={12} className="mt-0.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{warnings}</span>
        </p>
      )}
    </li>
  );
}

/** Where the talk under the pointer would go. */
export function goalOf({ active, over }: DragMoveEvent, column: Column): Goal | undefined {
  if (over?.id === ASIDE) return "unscheduled";
  const rect = active.rect.current.translated;
  return over?.id === COLUMN && rect ? timeAt(rect.top - over.rect.top, column) : undefined;
}
