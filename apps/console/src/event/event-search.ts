import { listSearch, type ListSearch } from "../lib/list-search.ts";
import { isDay, type CalendarView, type Day } from "./calendar/calendar-days.ts";

/** State of the Events screen in its URL. */
export interface EventSearch extends ListSearch {
  /** Calendar view; undefined for the list. */
  readonly view?: CalendarView | undefined;
  /** A day that the calendar shows; undefined for today. */
  readonly day?: Day | undefined;
  /** Day of a new event, if the user clicked on one. */
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
