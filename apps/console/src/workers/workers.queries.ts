import { Code, ConnectError } from "@connectrpc/connect";
import { createConnectQueryKey, useQuery as useCall } from "@connectrpc/connect-query";
import { MusicService } from "@followspot/contract/music";
import { QueuesService } from "@followspot/contract/queues";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { isDenied } from "../lib/errors.ts";
import { requestJson } from "../lib/http.ts";
import { useRefreshHealth } from "../lib/server-health.ts";
import { strings } from "../lib/strings.ts";
import type { TrendPoint } from "../ui/trend-path.ts";
import { workersStrings as text } from "./workers.strings.ts";

/** How often the screen asks, so that no one has to press Refresh. */
export const POLL_MS = 5000;

export interface Consumer {
  readonly name: string;
  readonly delivered: number;
  readonly numPending: number;
  readonly ackPending: number;
  readonly filterSubject?: string;
}

export interface Stream {
  readonly name: string;
  readonly messages: number;
  readonly bytes: number;
  readonly consumers: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly subjects: readonly string[];
  readonly consumerDetails: readonly Consumer[];
  /** What its consumers have not done with, and when the oldest of that came; absent from a server of an older release. */
  readonly waiting?: number;
  readonly oldestWaitingAt?: string;
  readonly trend?: readonly TrendPoint[];
  /** Sentences; empty where it may be done, absent for streams of others. */
  readonly whyNotPaused?: string;
  readonly whyNotPurged?: string;
  /** A moment; empty while it goes on. */
  readonly pausedUntil?: string;
}

export interface LastBackup {
  /** The last one that is whole. */
  readonly taken: { readonly folder: string; readonly takenAt: string; readonly bytes: number } | null;
  /** A later one that could not be taken. */
  readonly failed: { readonly at: string; readonly problem: string } | null;
}

interface StreamStats {
  readonly count: number;
  readonly streams: readonly Stream[];
  /** Absent from a server of an older release. */
  readonly backup?: LastBackup;
}

export const POLLED = { refetchInterval: POLL_MS, staleTime: 0 };

export function useStreams() {
  return useQuery({
    ...POLLED,
    queryKey: ["workers", "streams"],
    queryFn: ({ signal }) => requestJson<StreamStats>("/api/queues/all/stats", { signal }),
  });
}

/** Reads everything this screen shows again. */
export function useRefresh(): () => void {
  const cache = useQueryClient();
  const refreshHealth = useRefreshHealth();
  return () => {
    refreshHealth();
    void cache.invalidateQueries({ queryKey: ["workers"] });
    void cache.invalidateQueries({ queryKey: QUEUES });
  };
}

const QUEUES = createConnectQueryKey({ schema: QueuesService, cardinality: undefined });

export const useDownloaders = () => useCall(MusicService.method.getDownloader, {}, POLLED);

/** Who asks may not know, the server's broker does not answer, or the server itself does not. */
export function streamsProblem(error: unknown): string {
  if (isDenied(error)) return strings.denied;
  const isBroker =
    error instanceof ConnectError && error.code === Code.Unavailable && !(error.cause instanceof TypeError);
  return isBroker ? text.brokerDown : text.unavailable;
}
