import { useQuery, useQueryClient } from "@tanstack/react-query";

const POLL_MS = 5000;

/** Sentences for a person; both are absent from a server of an older release. */
export interface ServerHealth {
  /** Why something does not work. */
  readonly reasons?: readonly string[];
  /** What soon will not. */
  readonly warnings?: readonly string[];
  /** Queues of which no worker gets a job now; each has its sentence among the warnings as well. */
  readonly pauses?: readonly QueuePause[];
}

export interface QueuePause {
  readonly queue: string;
  /** A moment. */
  readonly until: string;
  readonly warning: string;
}

const HEALTH = ["server health"];

/** Asks at once how the server is: something that it told has just been changed here. */
export function useRefreshHealth(): () => void {
  const cache = useQueryClient();
  return () => void cache.invalidateQueries({ queryKey: HEALTH });
}

/** How the server is, which it also tells when it can do little else. */
export function useServerHealth(enabled = true): ServerHealth {
  const { data } = useQuery({
    enabled,
    refetchInterval: POLL_MS,
    staleTime: 0,
    retry: false,
    queryKey: HEALTH,
    queryFn: async ({ signal }) => (await (await fetch("/health", { signal })).json()) as ServerHealth,
  });
  return data ?? {};
}
