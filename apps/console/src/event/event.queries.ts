import { useQuery as useCall } from "@connectrpc/connect-query";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EventService, type Event, type PersonEvent } from "@followspot/contract/event";
import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { fileBase64 } from "../lib/base64.ts";
import { useChange } from "../lib/list-refresh.ts";
import { countsOf, pagesOf, type ListSource, type ReadableSource } from "../lib/list-source.ts";
import { ownZone } from "../lib/time-zone.ts";

const rpc = EventService.method;

/** @param withDeleted whether to include deleted events; allowed for an Admin only */
const eventSource = (withDeleted: boolean): ReadableSource<Event> => ({
  name: "events",
  ...pagesOf(rpc.listEvents, ({ events }) => events, { includeDeleted: withDeleted }),
  id: ({ id }) => id,
  scope: withDeleted ? "with deleted" : "",
  count: countsOf(rpc.countEvents),
  one: async (call, eventId) => (await call(rpc.getEvent, { eventId })).event,
});

export const EVENTS = eventSource(true);
/** List for users who may not see deleted events. */
export const OPEN_EVENTS = eventSource(false);

/** Events that a user registered for or attended. */
export const eventsOfPerson = (userId: string): ListSource<PersonEvent> => ({
  name: "events of a person",
  ...pagesOf(rpc.listPersonEvents, ({ events }) => events, { userId }),
  id: ({ eventId }) => eventId,
  scope: userId,
});

/** Loads an event for the heading of its pages, and to detect a missing event. */
export const useEvent = (eventId: string) => useCall(rpc.getEvent, { eventId });

export interface EventFields {
  readonly title: string;
  readonly start: Date;
  readonly end: Date;
  /** IANA name of the time zone; empty for none. */
  readonly timeZone: string;
  readonly location: string;
  readonly address: string;
  readonly lat: number;
  readonly lng: number;
  readonly places: number;
  /** Registration mode: none, open or invitation. */
  readonly registration: string;
  /** Behavior of the music while a talk is on the stage screen: pauses, quiet or continues. */
  readonly musicDuringTalks: string;
  /** Who can open the public page: off, link or open. */
  readonly publicPage: string;
  /** Check-in window; undefined for the default: from two hours before the start until the end. */
  readonly doorsOpen: Date | undefined;
  readonly doorsClose: Date | undefined;
}

/** Saves an event. An update is rejected if the event has changed since `existing` was loaded. */
export function useSaveEvent(existing: Event | undefined) {
  const change = useChange(EVENTS);
  return useMutation({
    mutationFn: async ({
      start,
      end,
      doorsOpen,
      doorsClose,
      banner,
      ...rest
    }: EventFields & { readonly banner: File | undefined }) => {
      const fields = {
        ...rest,
        startsAt: timestampFromDate(start),
        endsAt: timestampFromDate(end),
        ...(doorsOpen && { doorsOpenAt: timestampFromDate(doorsOpen) }),
        ...(doorsClose && { doorsCloseAt: timestampFromDate(doorsClose) }),
        ...(banner && { bannerBase64: await fileBase64(banner) }),
      };
      if (!existing) {
        await change(rpc.createEvent, fields);
        return;
      }
      if (!existing.id) throw new Error("Event ID is required for update");
      await change(rpc.updateEvent, {
        ...fields,
        eventId: existing.id,
        usualOpening: !doorsOpen,
        usualClosing: !doorsClose,
        ...(existing.updatedAt && { ifUpdatedAt: existing.updatedAt }),
      });
    },
  });
}

/** Duplicates `source`. If it has no time zone, its talks are moved by the caller's time zone. */
export function useDuplicateEvent({ id, timeZone }: Event) {
  const change = useChange(EVENTS);
  return useMutation({
    mutationFn: ({ start, end, ...chosen }: DuplicateFields) =>
      change(rpc.duplicateEvent, {
        ...chosen,
        eventId: id,
        startsAt: timestampFromDate(start),
        endsAt: timestampFromDate(end),
        timeZone: timeZone || ownZone(),
      }),
  });
}

interface DuplicateFields extends Pick<EventFields, "title" | "start" | "end"> {
  readonly talks: boolean;
  readonly banner: boolean;
  readonly registration: boolean;
}

/** Actions on a whole event. */
export function useEventCalls() {
  const change = useChange(EVENTS);
  return useMemo(
    () => ({
      remove: ({ id }: Event) => change(rpc.deleteEvent, { eventId: id }),
      restore: ({ id }: Event) => change(rpc.restoreEvent, { eventId: id }),
    }),
    [change],
  );
}
