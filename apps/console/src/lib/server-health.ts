import { useQuery } from "@tanstack/react-query";

const POLL_MS = 5000;

/** Sentences for a person; both are absent from a server of an older release. */
export interface ServerHealth {
  /** Why something does not work. */
  readonly reasons?: readonly string[];
  /** What soon will not. */
  readonly warnings?: readonly string[];
}

/** How the server is, which it also tells when it can do little else. */
export function useServerHealth(enabled = true): ServerHealth {
  const { data } = useQuery({
    enabled,
    refetchInterval: POLL_MS,
    staleTime: 0,
    retry: false,
    queryKey: ["server health"],
    queryFn: async ({ signal }) => (await (await fetch("/health", { signal })).json()) as ServerHealth,
  });
  return data ?? {};
}
