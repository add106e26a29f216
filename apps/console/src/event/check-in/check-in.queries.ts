import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { useQuery as useCall, useTransport } from "@connectrpc/connect-query";
import { EventService, type AttendeeCode, type CheckIn, type Event } from "@followspot/contract/event";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { serverPath } from "../../lib/base-path.ts";
import { refreshList, useChange } from "../../lib/list-refresh.ts";
import { caller, countsOf, everyPage, pagesKey, pagesOf, readPage, type ListSource } from "../../lib/list-source.ts";
import { useStore } from "../../lib/store.ts";
import { attendeesOf, type RecentCheckIns } from "./attendees.ts";
import { Door } from "./door.ts";
import { KeptScans } from "./kept-scans.ts";

const rpc = EventService.method;

export const checkInsOf = (eventId: string): ListSource<CheckIn> => ({
  name: "check-ins",
  ...pagesOf(rpc.listCheckIns, ({ checkIns }) => checkIns, { eventId }),
  id: ({ id }) => id,
  scope: eventId,
  count: countsOf(rpc.countCheckIns, { eventId }),
});

/** Number of attendees who checked in, independent of the filters of the list. */
export const useCheckInCount = (eventId: string) =>
  useCall(rpc.countCheckIns, { eventId }).data?.counts.find(({ filter }) => filter === "")?.count;

/** Timeout of a scan, ms; after that the door decides offline, because people wait. */
const SCAN_LIMIT_MS = 4000;
const SETTLE_EVERY_MS = 5000;
const READ_CODES_EVERY_MS = 60_000;
/** Number of check-ins that are read after each change; the codes hold the earlier ones. */
const RECENT = 200;
/** Delay before the codes are loaded again after registrations changed, ms. Restarts with each change. */
const CODES_WAIT_MS = 1000;

/** Door of one event while its page is open. */
export function useDoor(eventId: string, event: Event | undefined, peopleIn: number) {
  const transport = useTransport();
  const cache = useQueryClient();
  const { data, dataUpdatedAt, error, refetch } = useCodes(eventId, "", { everyMs: READ_CODES_EVERY_MS });
  const recent = useRecentCheckIns(eventId);
  const clock = useServerTime(dataUpdatedAt);
  const [kept] = useState(() => new KeptScans(eventId));
  const [door] = useState(() => {
    const refresh = () => refreshList(cache, checkInsOf(eventId));
    return new Door({
      kept,
      scan: async (code, admit, name) => {
        const request = { eventId, code, admit, door: name };
        const answer = await caller(transport, AbortSignal.timeout(SCAN_LIMIT_MS))(rpc.scanQr, request);
        refresh();
        return answer;
      },
      settle: async (scans, name) => {
        const told = scans.map(({ code, scannedAtMs, admit }) => ({
          code,
          admit,
          door: name,
          scannedAt: timestampFromMs(Math.min(scannedAtMs, clock.now())),
        }));
        const { results } = await caller(transport)(rpc.settleScans, { eventId, scans: told });
        refresh();
        return results;
      },
      now: clock.now,
      isOnline: () => navigator.onLine,
    });
  });
  const readAt = data && new Date(dataUpdatedAt);
  useEffect(() => {
    const codes = data && new Map(data.codes.map((each) => [each.code, each]));
    door.know({ event, codes, readAt: data && new Date(dataUpdatedAt), askedAtMs: data?.askedAtMs ?? 0, peopleIn });
  }, [door, event, data, dataUpdatedAt, peopleIn]);
  useEffect(() => {
    const settle = () => void door.settle();
    const readKept = () => door.readKept();
    settle();
    const timer = setInterval(settle, SETTLE_EVERY_MS);
    window.addEventListener("online", settle);
    window.addEventListener("storage", readKept);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", settle);
      window.removeEventListener("storage", readKept);
    };
  }, [door]);
  const state = useStore(door.state);
  const { scans: unsettled } = state.kept;
  const rows = useMemo(() => data && attendeesOf(data, recent, unsettled), [data, recent, unsettled]);
  const readAgain = useEffectEvent(() => {
    if (data) void refetch({ cancelRefetch: false });
  });
  useEffect(() => {
    const wait = setTimeout(readAgain, CODES_WAIT_MS);
    return () => clearTimeout(wait);
  }, [event?.registered, event?.waiting]);
  return { door, readAt, isSafe: kept.isSafe, list: { rows, error, retry: () => void refetch() }, ...state };
}

/** Loads the newest check-ins; they are loaded again whenever a door checks a person in or undoes it. */
function useRecentCheckIns(eventId: string): RecentCheckIns | undefined {
  const transport = useTransport();
  const source = checkInsOf(eventId);
  const question = { query: "", filter: "", orderBy: "" };
  return useQuery({
    queryKey: [...pagesKey(source, question), "recent"],
    queryFn: async ({ signal }) => {
      const askedAtMs = performance.now();
      const { rows, nextPageToken } = await readPage(source, caller(transport, signal), question, "", RECENT);
      return { checkIns: rows, isWhole: nextPageToken === "", askedAtMs };
    },
    structuralSharing: false,
  }).data;
}

/** Estimates the server's clock on a device whose clock may be wrong. Updated whenever the codes are loaded. */
function useServerTime(askedAt: number) {
  const [clock] = useState(() => {
    let aheadMs = 0;
    return {
      now: () => Date.now() + aheadMs,
      ask: async () => {
        const { headers } = await fetch(serverPath("/health"), { cache: "no-store" });
        const said = Date.parse(headers.get("date") ?? "");
        // The header has whole seconds: adding half a second limits the error to half a second.
        if (!Number.isNaN(said)) aheadMs = said + 500 - Date.now();
      },
    };
  });
  useEffect(() => {
    clock.ask().catch(() => undefined); // without a connection the previous offset remains
  }, [clock, askedAt]);
  return clock;
}

/** Returns the number of scans in this browser that are not yet synced for an event. */
export const unsettledOf = (eventId: string): number => new KeptScans(eventId).read().scans.length;

export function useUndo(eventId: string): (userId: string) => Promise<unknown> {
  const change = useChange(checkInsOf(eventId));
  return (userId) => change(rpc.undoCheckIn, { eventId, userId });
}

/**
 * Loads the attendee codes of an event that match a filter.
 * @param everyMs refetch interval, ms
 */
export function useCodes(
  eventId: string,
  filter: string,
  { isReady = true, everyMs }: { readonly isReady?: boolean; readonly everyMs?: number } = {},
) {
  const transport = useTransport();
  const question = { query: "", filter, orderBy: "" };
  const source: ListSource<AttendeeCode> = {
    name: "attendee-codes",
    ...pagesOf(rpc.listAttendeeCodes, ({ codes }) => codes, { eventId }),
    id: ({ userId }) => userId,
    scope: eventId,
  };
  return useQuery({
    enabled: isReady,
    queryKey: [...pagesKey(source, question), "whole"],
    queryFn: async ({ signal }) => {
      const askedAtMs = performance.now();
      const codes: AttendeeCode[] = [];
      for await (const page of everyPage(source, caller(transport, signal), question)) codes.push(...page);
      return { codes, askedAtMs };
    },
    structuralSharing: false,
    ...(everyMs !== undefined && { refetchInterval: everyMs, refetchIntervalInBackground: true, staleTime: 0 }),
  });
}
