import { timestampMs } from "@bufbuild/protobuf/wkt";
import { callUnaryMethod, useQuery as useCall, useTransport } from "@connectrpc/connect-query";
import { EventService, type Event } from "@followspot/contract/event";
import { MusicService } from "@followspot/contract/music";
import { NightService } from "@followspot/contract/night";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

const rpc = NightService.method;
const PROGRESS_MS = 700;
const MOST_EVENTS = 100;

export const useEvents = () =>
  useCall(
    EventService.method.listEvents,
    { list: { filter: "active", pageSize: MOST_EVENTS, orderBy: "starts_at desc" } },
    { staleTime: 0 },
  );

export const usePlaylists = () => useCall(MusicService.method.listPlaylists, {}, { staleTime: 0 });

/** The event that is on, or comes next; else the last one. @param events the latest first */
export function nextEvent(events: readonly Event[], nowMs: number): Event | undefined {
  const isToCome = ({ endsAt }: Event) => endsAt !== undefined && timestampMs(endsAt) > nowMs;
  return events.findLast(isToCome) ?? events[0];
}

export interface RehearsalOptions {
  readonly eventId: string;
  readonly playlistIds: readonly string[];
  readonly talkMinutes: number;
  /** Time zone in which times are told. */
  readonly zone: string;
}

/** One rehearsal, which ends with the screen. */
export function useRehearsal() {
  const transport = useTransport();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const rehearsal = useMutation({
    mutationFn: ({ playlistIds, ...options }: RehearsalOptions) => {
      const { signal } = (running.current = new AbortController());
      return callUnaryMethod(transport, rpc.rehearseNight, { ...options, playlistIds: [...playlistIds] }, { signal });
    },
  });
  return { rehearsal, cancel: () => running.current?.abort() };
}

export const useProgress = (isRunning: boolean) =>
  useCall(rpc.getRehearsalProgress, {}, { enabled: isRunning, refetchInterval: PROGRESS_MS, staleTime: 0 }).data;
