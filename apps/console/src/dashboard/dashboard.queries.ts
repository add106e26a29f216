import { useQuery } from "@connectrpc/connect-query";
import { EventService } from "@followspot/contract/event";
import { LightsService } from "@followspot/contract/lights";
import { MusicService } from "@followspot/contract/music";
import { UserService } from "@followspot/contract/user";
import { useQuery as usePlainQuery } from "@tanstack/react-query";
import { requestJson } from "../lib/http.ts";

const CONTENT = { refetchInterval: 60_000 };
const QUEUES = { refetchInterval: 30_000, staleTime: 30_000, retry: false };

export const useContent = () => ({
  users: useQuery(UserService.method.listUsers, {}, CONTENT),
  events: useQuery(EventService.method.listEvents, {}, CONTENT),
  songs: useQuery(MusicService.method.listSongs, {}, CONTENT),
  lights: useQuery(LightsService.method.listLights, {}, CONTENT),
});

interface SongQueues {
  readonly SONGS?: { readonly messages?: number; readonly consumer_count?: number };
  readonly RESPONSE_QUEUE?: { readonly consumer_count?: number };
}

export const useSongQueues = () =>
  usePlainQuery({
    ...QUEUES,
    queryKey: ["queues", "songs"],
    queryFn: ({ signal }) =>
      requestJson<SongQueues>("/api/queues/songs/stats", { signal }).catch(failWith("Failed to fetch queue stats")),
  });

export const useRecentFailures = () =>
  usePlainQuery({
    ...QUEUES,
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
