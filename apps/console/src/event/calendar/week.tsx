import { useLayoutEffect, useRef } from "react";
import { timeOfDay } from "../../lib/formatting.ts";
import { cx } from "../../ui/class-names.ts";
import { weekday, type Day } from "./calendar-days.ts";
import { LEAST_MINUTES, piecesOf } from "./calendar-layout.ts";
import { DayButton, DayNumber } from "./day-button.tsx";
import { EventChip } from "./event-chip.tsx";
import type { CalendarGridProps } from "./month.tsx";

const HOUR_PX = 44;
/** First visible hour: most events are in the evening. */
const FIRST_HOUR = 14;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const px = (minutes: number) => (minutes / 60) * HOUR_PX;

export function Week({ week, placed, today, onOpen, onNew }: CalendarGridProps & { readonly week: readonly Day[] }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.scrollTo?.({ top: FIRST_HOUR * HOUR_PX });
  }, []);
  return (
    <div ref={place} className="min-h-80 flex-1 overflow-auto rounded-lg border bg-surface">
      <div className="sticky top-0 z-20 grid grid-cols-[56px_repeat(7,minmax(0,1fr))] border-b bg-surface text-xs text-muted">
        <span />
        {week.map((day) => (
          <span key={day} className="flex items-center gap-1 border-l px-2 py-1">
            {weekday(day)} <DayNumber day={day} isToday={day === today} />
          </span>
        ))}
      </div>
      <div className="relative grid grid-cols-[56px_repeat(7,minmax(0,1fr))]" style={{ height: 24 * HOUR_PX }}>
        <div aria-hidden className="relative text-xs text-muted">
          {HOURS.slice(1).map((hour) => (
            <span key={hour} className="absolute right-1 -translate-y-1/2 tabular-nums" style={{ top: hour * HOUR_PX }}>
              {timeOfDay(new Date(Date.UTC(2026, 0, 1, hour)), "UTC").replace(":00", "")}
            </span>
          ))}
        </div>
        {week.map((day) => (
          <div key={day} className={cx("relative border-l", day === today && "bg-accent/5")}>
            <DayButton
              day={day}
              isToday={day === today}
              isNumbered={false}
              onNew={onNew}
              className="absolute inset-0 w-full"
            />
            {HOURS.slice(1).map((hour) => (
              <span
                key={hour}
                aria-hidden
                className="pointer-events-none absolute inset-x-0 border-t opacity-50"
                style={{ top: hour * HOUR_PX }}
              />
            ))}
            {piecesOf(day, placed).map(({ placed: each, fromMinute, untilMinute, lane, lanes }) => (
              <EventChip
                key={each.event.id}
                isTall
                placed={each}
                onOpen={() => onOpen(each.event)}
                className="absolute z-10 flex flex-col justify-start"
                style={{
                  top: px(fromMinute),
                  height: px(Math.max(untilMinute - fromMinute, LEAST_MINUTES)),
                  left: `${(lane / lanes) * 100}%`,
                  width: `${100 / lanes}%`,
                }}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
