import type { Event } from "@followspot/contract/event";
import { dayName, type Day } from "./calendar-days.ts";
import { isOn, type PlacedEvent } from "./calendar-layout.ts";
import { EventChip } from "./event-chip.tsx";

/** The days that have something, one below the other: for narrow pages, and for a day with more than fits. */
export function DayList({
  days,
  placed,
  today,
  onOpen,
}: {
  readonly days: readonly Day[];
  readonly placed: readonly PlacedEvent[];
  readonly today: Day;
  readonly onOpen: (event: Event) => void;
}) {
  const full = days.filter((day) => placed.some((each) => isOn(each, day)));
  return (
    <ol className="flex flex-col gap-3">
      {full.map((day) => (
        <li key={day} className="flex flex-col gap-1.5" aria-current={day === today ? "date" : undefined}>
          <h3 className={day === today ? "text-xs font-semibold text-accent" : "text-xs font-medium text-muted"}>
            {dayName(day)}
          </h3>
          {placed
            .filter((each) => isOn(each, day))
            .map((each) => (
              <EventChip
                key={each.event.id}
                isTall
                placed={each}
                className="min-h-11 px-2 py-1"
                onOpen={() => onOpen(each.event)}
              />
            ))}
        </li>
      ))}
    </ol>
  );
}
