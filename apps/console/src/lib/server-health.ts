import { useQuery, useQueryClient } from "@tanstack/react-query";
import { serverPath } from "./base-path.ts";

const POLL_MS = 5000;

/** State of the server as sentences for display. An older release sends neither `reasons` nor `warnings`. */
export interface ServerHealth {
  /** Functions that do not work, with the cause. */
  readonly reasons?: readonly string[];
  /** Functions that will soon stop working. */
  readonly warnings?: readonly string[];
  /** Queues that grant no jobs to workers now; each also has a sentence among the warnings. */
  readonly pauses?: readonly QueuePause[];
}

export interface QueuePause {
  readonly queue: string;
  /** End of the pause, ISO 8601. */
  readonly until: string;
  readonly warning: string;
}

const HEALTH = ["server health"];

/** Returns a function that refetches the state of the server, after a change that affects it. */
export function useRefreshHealth(): () => void {
  const cache = useQueryClient();
  return () => void cache.invalidateQueries({ queryKey: HEALTH });
}

/** Reads the state of the server, which it reports even if little else works. */
export function useServerHealth(enabled = true): ServerHealth {
  const { data } = useQuery({
    enabled,
    refetchInterval: POLL_MS,
    staleTime: 0,
    retry: false,
    queryKey: HEALTH,
    queryFn: async ({ signal }) => (await (await fetch(serverPath("/health"), { signal })).json()) as ServerHealth,
  });
  return data ?? {};
}
