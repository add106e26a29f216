import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { EventService, type Event } from "@followspot/contract/event";
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { caller, methodKey } from "../../lib/list-source.ts";
import { daysAfter, type Day } from "./calendar-days.ts";
import { isOn, placeEvents, type PlacedEvent } from "./calendar-layout.ts";

const { listEvents } = EventService.method;
/** Maximum number of events per response. */
const PAGE_ROWS = 200;

/** Filters that the calendar shares with the list: search text and tab. */
export interface CalendarQuestion {
  readonly query: string;
  readonly filter: string;
  /** Whether deleted events are included; allowed for an Admin only. */
  readonly includeDeleted: boolean;
}

/** Query for the events on these days, in any time zone. */
const eventsOn = (transport: Transport, days: readonly Day[], question: CalendarQuestion) => {
  const [first, last] = [days[0]!, days.at(-1)!];
  return queryOptions({
    queryKey: [...methodKey(listEvents), "calendar", first, last, question],
    queryFn: async ({ signal }) => {
      const { includeDeleted, ...list } = question;
      const call = caller(transport, signal);
      const events: Event[] = [];
      let pageToken = "";
      do {
        const answer = await call(listEvents, {
          includeDeleted,
          // No time zone is more than 14 hours from UTC.
          onFrom: timestampFromDate(new Date(`${daysAfter(first, -1)}T00:00:00Z`)),
          onUntil: timestampFromDate(new Date(`${daysAfter(last, 2)}T00:00:00Z`)),
          list: { ...list, orderBy: "starts_at", pageSize: PAGE_ROWS, pageToken },
        });
        events.push(...answer.events);
        pageToken = answer.nextPageToken;
      } while (pageToken !== "");
      return { events };
    },
  });
};

export const useEventsOn = (days: readonly Day[], question: CalendarQuestion) =>
  useQuery({ ...eventsOn(useTransport(), days, question), placeholderData: keepPreviousData });

/** Returns the first event after these days; undefined unless `isAsked`. */
export function useEventAfter(
  days: readonly Day[],
  question: CalendarQuestion,
  isAsked: boolean,
): PlacedEvent | undefined {
  const last = days.at(-1)!;
  const call = caller(useTransport());
  const { includeDeleted, ...list } = question;
  const { data } = useQuery({
    queryKey: [...methodKey(listEvents), "calendar", "after", last, question],
    queryFn: () =>
      call(listEvents, {
        includeDeleted,
        onFrom: timestampFromDate(new Date(`${last}T00:00:00Z`)),
        list: { ...list, orderBy: "starts_at", pageSize: 1 },
      }),
    enabled: isAsked,
  });
  return isAsked ? placeEvents(data?.events ?? []).find(({ firstDay }) => firstDay > last) : undefined;
}

/** Returns a function that loads these events for a file. Uses the calendar's cache if it is fresh. */
export function useReadEventsOn() {
  const transport = useTransport();
  const cache = useQueryClient();
  return async (days: readonly Day[], question: CalendarQuestion): Promise<readonly Event[]> => {
    const { events } = await cache.fetchQuery(eventsOn(transport, days, question));
    return placeEvents(events)
      .filter((placed) => days.some((day) => isOn(placed, day)))
      .map(({ event }) => event);
  };
}
