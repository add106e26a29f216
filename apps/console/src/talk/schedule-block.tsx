import { useDraggable } from "@dnd-kit/core";
import type { Talk } from "@followspot/contract/talk";
import { TriangleAlert } from "lucide-react";
import type { KeyboardEvent } from "react";
import { timeOfDay, toDate } from "../lib/formatting.ts";
import { cx } from "../ui/class-names.ts";
import { talkName } from "./talk-name.ts";
import { talkStrings as text } from "./talk.strings.ts";

/** What the keys do with a talk of the schedule. */
export interface BlockKeys {
  /** It is on its way. */
  readonly isUp: boolean;
  readonly onKeyDown: (key: KeyboardEvent) => void;
  readonly onKeyUp: (key: KeyboardEvent) => void;
  readonly onBlur: () => void;
}

/** A talk of the schedule: it can be dragged, moved by keys, and opened by a click. */
export function ScheduleBlock({
  talk,
  zone,
  warnings,
  mayMove,
  help,
  keys: { isUp, ...keys },
  isAway,
  onOpen,
}: {
  readonly talk: Talk;
  /** Of its event. */
  readonly zone: string;
  /** In words; empty where nothing is wrong. */
  readonly warnings: string;
  readonly mayMove: boolean;
  /** Id of the words that say how it is moved. */
  readonly help: string;
  readonly keys: BlockKeys;
  /** It is shown where it goes. */
  readonly isAway: boolean;
  readonly onOpen: () => void;
}) {
  const { setNodeRef, listeners } = useDraggable({ id: talk.id, disabled: !mayMove });
  const start = toDate(talk.startAt);
  return (
    <button
      type="button"
      data-talk={talk.id}
      ref={setNodeRef}
      {...listeners}
      {...keys}
      disabled={!mayMove}
      aria-pressed={isUp}
      aria-describedby={mayMove ? help : undefined}
      onClick={onOpen}
      className={cx(
        "relative flex size-full touch-manipulation flex-col overflow-hidden rounded-md border px-2 py-0.5 text-left select-none",
        mayMove && "cursor-grab",
        isAway ? "border-dashed bg-surface" : "bg-raised",
        isUp && "border-accent",
      )}
    >
      <span className="block w-full truncate font-medium">
        {start && <span className="font-normal text-muted">{timeOfDay(start, zone)} </span>}
        {talkName(talk)}
      </span>
      {warnings ? (
        <span title={warnings} className="flex w-full items-center gap-1.5 text-xs text-warn">
          <TriangleAlert aria-hidden size={12} className="shrink-0" />
          <span className="truncate">{warnings}</span>
        </span>
      ) : (
        <span className="block w-full truncate text-xs text-muted">{talk.userName || text.noSpeaker}</span>
      )}
    </button>
  );
}
