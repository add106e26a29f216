import { useQuery } from "@connectrpc/connect-query";
import { EventService } from "@followspot/contract/event";
import { LightsService } from "@followspot/contract/lights";
import type { FilterCount } from "@followspot/contract/list";
import { MusicService } from "@followspot/contract/music";
import { UserService } from "@followspot/contract/user";
import { useQuery as usePlainQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useCan } from "../auth/can.ts";
import { requestJson } from "../lib/http.ts";
import { listen } from "../realtime/listeners.ts";
import type { TrendPoint } from "../ui/trend-path.ts";

const CONTENT = { refetchInterval: 60_000 };
const QUEUES = { refetchInterval: 30_000, staleTime: 30_000, retry: false };
const SONG_QUEUES = ["queues", "songs"] as const;
/** Songs at work change several times a second. */
const FOLLOW_MS = 2000;
/** Songs looked through for those at work; the lists show far fewer. */
const LOOKED_THROUGH = 50;

/** Rows per filter of each list that the signed-in person may see; the others are not asked for. */
export function useContent() {
  const can = useCan();
  const { countUsers } = UserService.method;
  const { countEvents } = EventService.method;
  const { countSongs } = MusicService.method;
  const { countLights } = LightsService.method;
  return {
    users: useQuery(countUsers, {}, { ...CONTENT, enabled: can(countUsers) }),
    events: useQuery(countEvents, {}, { ...CONTENT, enabled: can(countEvents) }),
    songs: useQuery(countSongs, {}, { ...CONTENT, enabled: can(countSongs) }),
    lights: useQuery(countLights, {}, { ...CONTENT, enabled: can(countLights) }),
  };
}

/** Rows that one filter keeps, once they are counted; "" is the filter of all rows. */
export const countOfFilter = (
  answer: { readonly counts: readonly FilterCount[] } | undefined,
  filter: string,
): number | undefined => answer && (answer.counts.find((each) => each.filter === filter)?.count ?? 0);

/** Songs at a step, the longest waiting first. */
export const useSongsAtWork = () =>
  useQuery(
    MusicService.method.listSongs,
    { list: { filter: "processing", orderBy: "created_at", pageSize: LOOKED_THROUGH } },
    CONTENT,
  );

export const useSongsDownloading = () =>
  useQuery(
    MusicService.method.listSongs,
    { list: { filter: "downloading", orderBy: "created_at", pageSize: LOOKED_THROUGH } },
    CONTENT,
  );

export const useFailedSongs = () =>
  useQuery(MusicService.method.listSongs, { list: { filter: "error", pageSize: LOOKED_THROUGH } }, CONTENT);

interface SongQueues {
  readonly SONGS?: {
    readonly messages?: number;
    readonly consumer_count?: number;
    /** How much waited in the last hour, oldest first. */
    readonly trend?: readonly TrendPoint[];
  };
  readonly RESPONSE_QUEUE?: { readonly consumer_count?: number };
  /** Songs that were lit in the last 24 hours of the clock; missing where none was, or where the database is away. */
  readonly day?: DayOfSongs;
}

/** How songs went: how many were lit, seconds from coming in to light in the median and at most. */
interface Pace {
  readonly lit: number;
  readonly seconds: number;
  readonly longest: number;
}

interface DayOfSongs extends Pace {
  /** Those in which songs were lit. */
  readonly hours: readonly PaceHour[];
}

/** Of one hour of the clock; 0 is the one that is not over. */
export interface PaceHour extends Pace {
  readonly hoursAgo: number;
}

export const useSongQueues = () =>
  usePlainQuery({
    ...QUEUES,
    enabled: useCan()("seeQueues"),
    queryKey: SONG_QUEUES,
    queryFn: ({ signal }) =>
      requestJson<SongQueues>("/api/queues/songs/stats", { signal }).catch(failWith("Failed to fetch queue stats")),
  });

/** What the queues hold changes with songs: it is read again soon after one has. */
export function useQueuesFollowSongs(): void {
  const cache = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = listen("songs", () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void cache.invalidateQueries({ queryKey: SONG_QUEUES, exact: true });
      }, FOLLOW_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [cache]);
}

export const useRecentFailures = () =>
  usePlainQuery({
    ...QUEUES,
    enabled: useCan()("seeQueues"),
    queryKey: ["queues", "songs", "failures", 10],
    queryFn: ({ signal }) =>
      requestJson<{ readonly items?: readonly unknown[] }>("/api/queues/songs/failures?limit=10", { signal }).catch(
        failWith("Failed to fetch queue failures"),
      ),
  });

const failWith = (message: string) => (cause: unknown) => {
  throw Object.assign(
    new Error(message, { cause }),
    cause instanceof Error && "code" in cause ? { code: cause.code } : {},
  );
};
