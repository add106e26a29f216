import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useMutation, useQuery as useCall } from "@connectrpc/connect-query";
import { DirectorService } from "@followspot/contract/director";
import { EventService, type Event } from "@followspot/contract/event";
import { TalkService } from "@followspot/contract/talk";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { errorText } from "../lib/errors.ts";
import { methodKey } from "../lib/list-source.ts";
import { showToast } from "../ui/toast.tsx";
import type { NightNow, PlannedTalk } from "./running-order.ts";
import { tonightStrings as text } from "./tonight.strings.ts";

/** Upper limit for the talks of a night. */
const MOST_TALKS = 200;

const READ_AGAIN_MS = 10_000;
/** Maximum delay of one timer, ms. Timers of browsers overflow after 24 days. */
const MOST_WAIT_MS = 24 * 3600_000;

/** Returns the current event, or the next one if none is on. Refetched when an event starts or ends. */
export function useTonight(isAllowed = true): {
  readonly event: Event | undefined;
  readonly isPending: boolean;
  /** Error of the read if it is unknown whether there is an event; otherwise null. */
  readonly error: Error | null;
} {
  const read = (filter: string) => ({ list: { filter, pageSize: 1, orderBy: "starts_at" } });
  const live = useCall(EventService.method.listEvents, read("live"), { staleTime: 0, enabled: isAllowed });
  const upcoming = useCall(EventService.method.listEvents, read("upcoming"), { staleTime: 0, enabled: isAllowed });
  const ends = live.data?.events[0]?.endsAt;
  const begins = upcoming.data?.events[0]?.startsAt;
  const readBoth = useEffectEvent(() => void Promise.all([live.refetch(), upcoming.refetch()]));
  const nextMs = Math.min(...[ends, begins].map((at) => (at ? timestampMs(at) : Number.POSITIVE_INFINITY)));
  const readMs = Math.max(
    ...[live, upcoming].flatMap(({ dataUpdatedAt, errorUpdatedAt }) => [dataUpdatedAt, errorUpdatedAt]),
  );
  useEffect(() => {
    if (!Number.isFinite(nextMs)) return undefined;
    // If this machine's clock is ahead, the event is still on at the server, so read again a little later.
    const wait = nextMs > readMs ? nextMs - readMs : READ_AGAIN_MS;
    const timer = setTimeout(() => readBoth(), Math.min(wait, MOST_WAIT_MS));
    return () => clearTimeout(timer);
  }, [nextMs, readMs]);
  return {
    event: live.data?.events[0] ?? upcoming.data?.events[0],
    isPending: live.isPending || upcoming.isPending,
    error: live.error ?? upcoming.error,
  };
}

export function useTalks(eventId: string | undefined): readonly PlannedTalk[] {
  const { data } = useCall(
    TalkService.method.listTalks,
    { eventId: eventId ?? "", list: { pageSize: MOST_TALKS } },
    { enabled: eventId !== undefined, staleTime: 0 },
  );
  return (data?.talks ?? []).map(({ id, title, userName, startAt }) => ({
    id,
    title,
    speaker: userName ?? "",
    startsAt: startAt && timestampMs(startAt),
  }));
}

/** Changes the talk on a stage screen. */
export interface StageTalks {
  readonly show: (talkId: string) => void;
  readonly end: () => void;
  readonly isPending: boolean;
}

/** @param eventId event of the screen; undefined for none, where no talk can be shown */
export function useStageTalks(eventId: string | undefined): StageTalks | undefined {
  const cache = useQueryClient();
  const whenDone = {
    onSuccess: () => cache.invalidateQueries({ queryKey: methodKey(DirectorService.method.getStageScreen) }),
    onError: (error: Error) => showToast(`${text.talkRefused}: ${errorText(error)}`, { bad: true }),
  };
  const push = useMutation(DirectorService.method.pushTalk, whenDone);
  const end = useMutation(DirectorService.method.endTalk, whenDone);
  if (eventId === undefined) return undefined;
  return {
    show: (talkId) => push.mutate({ eventId, talkId }),
    end: () => end.mutate({ eventId }),
    isPending: push.isPending || end.isPending,
  };
}

/** Returns the talk on the event's stage screen and its start time. */
export function useTalkOnStage(eventId: string | undefined): NightNow["talkOnStage"] {
  const screen = useCall(
    DirectorService.method.getStageScreen,
    { eventId: eventId ?? "" },
    { enabled: eventId !== undefined },
  ).data?.screen;
  if (!screen?.talkId) return undefined;
  return { id: screen.talkId, since: screen.talkSince && timestampMs(screen.talkSince) };
}
