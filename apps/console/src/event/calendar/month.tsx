import type { Event } from "@followspot/contract/event";
import { cx } from "../../ui/class-names.ts";
import { dayName, weekday, type Day } from "./calendar-days.ts";
import { barsOf, isOn, type PlacedEvent } from "./calendar-layout.ts";
import { DayButton } from "./day-button.tsx";
import { EventChip } from "./event-chip.tsx";
import { eventStrings } from "../event.strings.ts";

const text = eventStrings.calendar;
/** Maximum number of bars shown per day; further ones are counted. */
const LANES = 3;

export interface CalendarGridProps {
  readonly placed: readonly PlacedEvent[];
  readonly today: Day;
  readonly onOpen: (event: Event) => void;
  /** Undefined for users who may not create events. */
  readonly onNew: ((day: Day) => void) | undefined;
}

/**
 * Month view.
 * @param month highlighted month, "2026-05"
 */
export function Month({
  weeks,
  month,
  placed,
  today,
  onOpen,
  onNew,
  onMore,
}: CalendarGridProps & {
  readonly weeks: readonly (readonly Day[])[];
  readonly month: string;
  readonly onMore: (day: Day) => void;
}) {
  return (
    <div className="flex min-h-0 flex-1 flex-col rounded-lg border bg-surface">
      <div aria-hidden className="grid grid-cols-7 text-xs text-muted">
        {weeks[0]!.map((day) => (
          <span key={day} className="px-2 py-1">
            {weekday(day)}
          </span>
        ))}
      </div>
      {weeks.map((week) => (
        <Week key={week[0]} {...{ week, month, placed, today, onOpen, onNew, onMore }} />
      ))}
    </div>
  );
}

function Week({
  week,
  month,
  placed,
  today,
  onOpen,
  onNew,
  onMore,
}: CalendarGridProps & {
  readonly week: readonly Day[];
  readonly month: string;
  readonly onMore: (day: Day) => void;
}) {
  const bars = barsOf(week, placed);
  const hidden = bars.filter(({ lane }) => lane >= LANES);
  return (
    <div
      className="grid flex-1 grid-cols-[repeat(7,minmax(0,1fr))] border-t"
      style={{ gridTemplateRows: `26px repeat(${LANES}, 22px) minmax(22px, 1fr)` }}
    >
      {week.map((day, i) => (
        <DayButton
          key={day}
          day={day}
          isToday={day === today}
          onNew={onNew}
          className={cx(
            "items-start justify-start p-1",
            i > 0 && "border-l",
            day.slice(0, 7) !== month && "text-muted",
          )}
          style={{ gridColumn: i + 1, gridRow: "1 / -1" }}
        />
      ))}
      {bars
        .filter(({ lane }) => lane < LANES)
        .map(({ placed: each, column, columns, lane }) => (
          <EventChip
            key={each.event.id}
            placed={each}
            onOpen={() => onOpen(each.event)}
            className={cx(
              "z-10 mx-0.5 h-5 truncate",
              each.firstDay < week[0]! && "ml-0 rounded-l-none border-l-0!",
              each.lastDay > week[6]! && "mr-0 rounded-r-none border-r-0!",
            )}
            style={{ gridColumn: `${column + 1} / span ${columns}`, gridRow: lane + 2 }}
          />
        ))}
      {week.map((day, i) => {
        const more = hidden.filter((bar) => isOn(bar.placed, day)).length;
        return (
          more > 0 && (
            <button
              key={day}
              type="button"
              aria-label={text.moreOn(more, dayName(day))}
              onClick={() => onMore(day)}
              className="z-10 mx-0.5 h-5 truncate rounded px-1 text-left text-xs text-accent hover:bg-raised"
              style={{ gridColumn: i + 1, gridRow: LANES + 2 }}
            >
              {text.more(more)}
            </button>
          )
        );
      })}
    </div>
  );
}
