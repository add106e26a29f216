import type { Event } from "@followspot/contract/event";
import { dayName, type Day } from "./calendar-days.ts";
import { isOn, type PlacedEvent } from "./calendar-layout.ts";
import { EventChip } from "./event-chip.tsx";

interface DayEventsProps {
  readonly placed: readonly PlacedEvent[];
  readonly onOpen: (event: Event) => void;
}

/** List of the days that have events, for narrow pages. */
export function DayList({
  days,
  today,
  placed,
  onOpen,
}: DayEventsProps & { readonly days: readonly Day[]; readonly today: Day }) {
  const full = days.filter((day) => placed.some((each) => isOn(each, day)));
  return (
    <ol className="flex flex-col gap-3">
      {full.map((day) => (
        <li key={day} className="flex flex-col gap-1.5" aria-current={day === today ? "date" : undefined}>
          <h3 className={day === today ? "text-xs font-semibold text-accent" : "text-xs font-medium text-muted"}>
            {dayName(day)}
          </h3>
          <DayEvents day={day} placed={placed} onOpen={onOpen} />
        </li>
      ))}
    </ol>
  );
}

export const DayEvents = ({ day, placed, onOpen }: DayEventsProps & { readonly day: Day }) =>
  placed
    .filter((each) => isOn(each, day))
    .map((each) => (
      <EventChip
        key={each.event.id}
        isTall
        placed={each}
        className="min-h-11 shrink-0 px-2 py-1"
        onOpen={() => onOpen(each.event)}
      />
    ));
