import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { DndContext, MouseSensor, pointerWithin, TouchSensor, useSensor, useSensors } from "@dnd-kit/core";
import type { Event } from "@followspot/contract/event";
import type { Talk } from "@followspot/contract/talk";
import { useId, useState } from "react";
import { timeOfDay } from "../lib/formatting.ts";
import { useOfKey } from "../lib/key-table.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { EmptyState } from "../ui/states.tsx";
import { ScheduleBlock, type BlockKeys } from "./schedule-block.tsx";
import { SCHEDULE_KEYS } from "./schedule.keys.ts";
import {
  acrossOf,
  columnOf,
  layOut,
  stepFrom,
  TALK_PX,
  topOf,
  within,
  type Column,
  type PlacedTalk,
} from "./schedule-layout.ts";
import { Aside, goalOf, Shadow, TimeColumn } from "./schedule-places.tsx";
import { talkName } from "./talk-name.ts";
import { nextStart, startOf, warningsOf } from "./talk-times.ts";
import { warningWords } from "./talk-warnings.tsx";
import { talkStrings } from "./talk.strings.ts";
import { useFocusAfterMove, useMoves, type Goal } from "./use-moves.ts";

const text = talkStrings.schedule;

/** A talk on its way. */
interface Lifted {
  readonly talk: Talk;
  readonly by: "keys" | "pointer";
  /** Undefined: nowhere, it stays. */
  readonly goal: Goal | undefined;
}

const nothing = () => undefined;
/** The schedule itself says what happens, in names and times. */
const SILENT = {
  announcements: { onDragStart: nothing, onDragOver: nothing, onDragEnd: nothing, onDragCancel: nothing },
  screenReaderInstructions: { draggable: "" },
};

/** The talks of an event on a column of time. They are moved by pointer or keyboard, in steps of five minutes. */
export function Schedule({ event, ...rest }: ScheduleProps) {
  const column = columnOf(event);
  return column ? <TimedSchedule {...rest} event={event} column={column} /> : <EmptyState text={text.noTimes} />;
}

interface ScheduleProps {
  readonly event: Event;
  readonly talks: readonly Talk[];
  readonly mayMove: boolean;
  readonly onOpen: (talk: Talk) => void;
}

function TimedSchedule({ event, talks: read, mayMove, onOpen, column }: ScheduleProps & { readonly column: Column }) {
  const { timeZone } = event;
  const help = useId();
  const [lifted, setLifted] = useState<Lifted>();
  const [said, setSaid] = useState("");
  const { talks, moving, moveTo } = useMoves(read, timeZone);
  const { placed, unscheduled, outside } = layOut(talks, column);
  const [place, focusWhenThere] = useFocusAfterMove(talks);

  const drop = ({ talk, by, goal }: Lifted) => {
    setLifted(undefined);
    setSaid("");
    if (goal === undefined || goal === startOf(talk) || (goal === "unscheduled" && !talk.startAt)) return;
    if (by === "keys") focusWhenThere(talk, goal);
    moveTo({ talk, goal });
  };
  const putBack = ({ talk }: Lifted) => {
    setLifted(undefined);
    setSaid(text.putBack(talkName(talk)));
  };
  const lift = (talk: Talk) => {
    const start = startOf(talk) ?? nextStart(talks, event)?.getTime() ?? column.fromMs;
    aim({ talk, by: "keys", goal: placed.some((each) => each.talk === talk) ? start : within(start, column) });
  };
  const aim = (next: Lifted) => {
    setLifted(next);
    if (typeof next.goal !== "number") return;
    const time = timeOfDay(new Date(next.goal), timeZone);
    setSaid(text.isLifted(talkName(next.talk), time, warningsAt(next.talk, next.goal)));
  };
  const warningsAt = (talk: Talk, goal: number) =>
    warningsOf({ ...talk, startAt: timestampFromMs(goal) }, talks, event)
      .map(warningWords)
      .join(". ");

  const keysOf = (talk: Talk): BlockKeys => {
    const isUp = lifted?.by === "keys" && lifted.talk.id === talk.id;
    return {
      isUp,
      onKeyDown: (key) => {
        const use = useOfKey(SCHEDULE_KEYS, key);
        if (!isUp) {
          if (use === "lift") lift(talk);
          else if (use === "remove" && talk.startAt) drop({ talk, by: "keys", goal: "unscheduled" });
          else return;
        } else if (use === "lift") drop(lifted);
        else if (use === "cancel") putBack(lifted);
        else if ((use === "later" || use === "earlier") && typeof lifted.goal === "number")
          aim({ ...lifted, goal: stepFrom(lifted.goal, use === "later" ? 1 : -1, column) });
        else return;
        key.preventDefault();
      },
      // Some browsers click a button when the space bar comes up.
      onKeyUp: (key) => useOfKey(SCHEDULE_KEYS, key) === "lift" && key.preventDefault(),
      onBlur: () => isUp && putBack(lifted),
    };
  };
  const blockOf = (talk: Talk) => (
    <ScheduleBlock
      talk={talk}
      zone={timeZone}
      warnings={warningsOf(talk, talks, event).map(warningWords).join(" · ")}
      mayMove={mayMove}
      help={help}
      keys={keysOf(talk)}
      isAway={(lifted?.goal !== undefined ? lifted.talk.id : moving?.talk.id) === talk.id}
      onOpen={() => onOpen(talk)}
    />
  );
  const beside = (those: readonly Talk[]) => (
    <ul className="flex flex-col gap-2">
      {those.map((talk) => (
        <li key={talk.id}>{blockOf(talk)}</li>
      ))}
    </ul>
  );
  const shadow = lifted ?? moving;
  const goalMs = typeof shadow?.goal === "number" ? shadow.goal : undefined;
  // As they would stand with the talk on its way among them: what it meets stays readable beside it.
  const then = new Map(
    layOut(
      talks.map((talk) =>
        goalMs !== undefined && talk.id === shadow?.talk.id ? { ...talk, startAt: timestampFromMs(goalMs) } : talk,
      ),
      column,
    ).placed.map(({ talk, lane, lanes }) => [talk.id, { lane, lanes }]),
  );
  const placeOf = ({ talk, lane, lanes }: PlacedTalk<Talk>) =>
    (talk.id === shadow?.talk.id ? undefined : then.get(talk.id)) ?? { lane, lanes };

  const sensors = useSensors(
    // A press opens the talk; a finger that scrolls the page moves none.
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 8 } }),
  );
  const dragged = (id: string | number) => talks.find((talk) => talk.id === id);
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      accessibility={SILENT}
      autoScroll={{ threshold: { x: 0, y: 0.1 } }}
      onDragMove={(move) => {
        const talk = dragged(move.active.id);
        if (talk) setLifted({ talk, by: "pointer", goal: goalOf(move, column) });
      }}
      onDragEnd={(move) => {
        const talk = dragged(move.active.id);
        if (talk) drop({ talk, by: "pointer", goal: goalOf(move, column) });
      }}
      onDragCancel={() => setLifted(undefined)}
    >
      <div
        ref={place}
        className={cx("flex flex-col gap-3", lifted?.by === "pointer" && "cursor-grabbing **:cursor-grabbing!")}
      >
        {mayMove && (
          <p id={help} className="text-xs text-muted">
            {text.help}
          </p>
        )}
        <p role="status" className="sr-only">
          {said}
        </p>
        <ToLookAt talks={talks} warnings={(talk) => warningsOf(talk, talks, event).map(warningWords).join(". ")} />
        <div className="grid items-start gap-4 md:grid-cols-[260px_minmax(0,1fr)]">
          <Aside>
            <h2 className="text-xs font-medium">{text.unscheduled}</h2>
            {unscheduled.length > 0 ? (
              beside(unscheduled)
            ) : (
              <p className="text-xs text-muted">{mayMove ? text.unscheduledEmpty : text.unscheduledEmptyToRead}</p>
            )}
            {outside.length > 0 && (
              <>
                <h2 className="mt-2 text-xs font-medium">{text.outside}</h2>
                {beside(outside)}
              </>
            )}
          </Aside>
          <TimeColumn column={column} zone={timeZone} label={text.label(event.title)}>
            {placed.map((each) => (
              <li
                key={each.talk.id}
                className="absolute p-px"
                style={{ top: topOf(each.startMs, column), height: TALK_PX, ...acrossOf(placeOf(each)) }}
              >
                {blockOf(each.talk)}
              </li>
            ))}
            {shadow && goalMs !== undefined && (
              <Shadow
                isFollowed={lifted?.by === "keys"}
                top={topOf(goalMs, column)}
                across={acrossOf(then.get(shadow.talk.id) ?? { lane: 0, lanes: 1 })}
                words={[timeOfDay(new Date(goalMs), timeZone), talkName(shadow.talk)].join(" · ")}
                warnings={warningsAt(shadow.talk, goalMs)}
              />
            )}
          </TimeColumn>
        </div>
      </div>
    </DndContext>
  );
}

/** How many talks are warned of, the way from one to the next, and all that is wrong with the one in front. */
function ToLookAt({
  talks,
  warnings,
}: {
  readonly talks: readonly Talk[];
  /** In words; empty where nothing is wrong. */
  readonly warnings: (talk: Talk) => string;
}) {
  const [at, setAt] = useState<string>();
  const warned = talks.filter((talk) => warnings(talk) !== "");
  if (warned.length === 0) return null;
  const shown = warned.find(({ id }) => id === at);
  const go = () => {
    const next = warned[(shown ? warned.indexOf(shown) + 1 : 0) % warned.length]!;
    const blocks = [...document.querySelectorAll<HTMLElement>("[data-talk]")];
    blocks.find(({ dataset }) => dataset["talk"] === next.id)?.focus();
    setAt(next.id);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-warn">
      {text.toLookAt(warned.length)}
      <Button onClick={go}>{text.next}</Button>
      <span role="status" className="min-w-0 wrap-anywhere">
        {shown && text.wrong(talkName(shown), warnings(shown))}
      </span>
    </div>
  );
}
