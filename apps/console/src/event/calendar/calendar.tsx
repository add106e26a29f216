import type { Event } from "@followspot/contract/event";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useKeys } from "../../lib/use-keys.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogBody } from "../../ui/dialog.tsx";
import { EmptyState, ErrorState, Loading } from "../../ui/states.tsx";
import { useSize } from "../../ui/use-size.ts";
import { eventStrings } from "../event.strings.ts";
import {
  dayName,
  shortDayName,
  titleOf,
  today,
  turned,
  weeksOf,
  type CalendarView,
  type Day,
} from "./calendar-days.ts";
import { isOn, placeEvents } from "./calendar-layout.ts";
import { CALENDAR_KEYS } from "./calendar.keys.ts";
import { useEventAfter, useEventsOn, type CalendarQuestion } from "./calendar.queries.ts";
import { DayEvents, DayList } from "./day-list.tsx";
import { Month } from "./month.tsx";
import { Week } from "./week.tsx";

const text = eventStrings.calendar;
/** Width below which the days are stacked, pixels. */
const NARROW_PX = 640;

/** Calendar of a month or week. Each event is shown by its own clock. */
export function Calendar({
  view,
  day,
  question,
  onDay,
  onOpen,
  onNew,
}: {
  readonly view: CalendarView;
  /** One of the displayed days. */
  readonly day: Day;
  readonly question: CalendarQuestion;
  readonly onDay: (day: Day) => void;
  readonly onOpen: (event: Event) => void;
  readonly onNew: ((day: Day) => void) | undefined;
}) {
  const place = useRef<HTMLDivElement>(null);
  const { width } = useSize(place);
  const [fullDay, setFullDay] = useState<Day>();
  const now = today();
  const weeks = useMemo(() => weeksOf(view, day), [view, day]);
  const days = useMemo(() => weeks.flat(), [weeks]);
  const { data, error, isPlaceholderData, refetch } = useEventsOn(days, question);
  const placed = useMemo(() => placeEvents(data?.events ?? []), [data]);
  const month = day.slice(0, 7);
  const ownDays = view === "week" ? days : days.filter((each) => each.startsWith(month));
  const isNarrow = width > 0 && width < NARROW_PX;
  const shownDays = isNarrow ? ownDays : days;
  const isNothing =
    data !== undefined && !isPlaceholderData && !shownDays.some((each) => placed.some((one) => isOn(one, each)));
  const next = useEventAfter(days, question, isNothing);
  const title = titleOf(view, day);

  useKeys(
    CALENDAR_KEYS,
    {
      previous: () => onDay(turned(view, day, -1)),
      next: () => onDay(turned(view, day, 1)),
      today: () => onDay(now),
    },
    { repeats: ["previous", "next"] },
  );

  const grid = { placed, today: now, onOpen, onNew };
  return (
    <div ref={place} className="flex min-h-0 flex-1 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          aria-label={text.previous[view]}
          aria-keyshortcuts="ArrowLeft"
          onClick={() => onDay(turned(view, day, -1))}
        >
          <ChevronLeft aria-hidden size={14} />
        </Button>
        <Button aria-keyshortcuts="T" onClick={() => onDay(now)}>
          {text.today}
        </Button>
        <Button aria-label={text.next[view]} aria-keyshortcuts="ArrowRight" onClick={() => onDay(turned(view, day, 1))}>
          <ChevronRight aria-hidden size={14} />
        </Button>
        <h2 aria-live="polite" className="text-sm font-semibold">
          {title}
        </h2>
        {isNothing && !isNarrow && <p className="text-xs text-muted">{text.nothing}</p>}
        {next && (
          <Button title={next.event.title} onClick={() => onDay(next.firstDay)}>
            {text.nextOn(shortDayName(next.firstDay))}
            <ChevronRight aria-hidden size={14} />
          </Button>
        )}
      </div>
      {!data && error ? (
        <ErrorState prefix={eventStrings.loadError} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : isNarrow ? (
        isNothing ? (
          <EmptyState text={text.nothingIn(title)} />
        ) : (
          <DayList days={ownDays} placed={placed} today={now} onOpen={onOpen} />
        )
      ) : view === "month" ? (
        <Month {...grid} weeks={weeks} month={month} onMore={setFullDay} />
      ) : (
        <Week {...grid} week={weeks[0]!} />
      )}
      {fullDay && (
        <Dialog open title={dayName(fullDay)} onClose={() => setFullDay(undefined)}>
          <DialogBody>
            <DayEvents
              day={fullDay}
              placed={placed}
              onOpen={(event) => {
                setFullDay(undefined);
                onOpen(event);
              }}
            />
          </DialogBody>
        </Dialog>
      )}
    </div>
  );
}
