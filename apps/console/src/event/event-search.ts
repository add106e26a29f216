import { listSearch, type ListSearch } from "../lib/list-search.ts";
import { isDay, type CalendarView, type Day } from "./calendar/calendar-days.ts";

/** The Events screen's state in its address. */
export interface EventSearch extends ListSearch {
  /** Left out: the list. */
  readonly view?: CalendarView | undefined;
  /** A day that the calendar shows. Left out: today. */
  readonly day?: Day | undefined;
  /** The day that was pressed for a new event. */
  readonly on?: Day | undefined;
}

export function eventSearch(search: Record<string, unknown>): EventSearch {
  const { view, day, on } = search;
  return {
    ...listSearch(search),
    view: view === "month" || view === "week" ? view : undefined,
    day: isDay(day) ? day : undefined,
    on: isDay(on) ? on : undefined,
  };
}
