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

/** Refetch interval of the screen, ms. */
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
  /** Number of messages not yet processed, and arrival time of the oldest; missing from older server releases. */
  readonly waiting?: number;
  readonly oldestWaitingAt?: string;
  readonly trend?: readonly TrendPoint[];
  /** Reason why the action is unavailable; empty if it is available, undefined for foreign streams. */
  readonly whyNotPaused?: string;
  readonly whyNotPurged?: string;
  /** ISO time until which it is paused; empty if it is not. */
  readonly pausedUntil?: string;
}

export interface LastBackup {
  /** Last complete backup. */
  readonly taken: { readonly folder: string; readonly takenAt: string; readonly bytes: number } | null;
  /** Later backup that failed. */
  readonly failed: { readonly at: string; readonly problem: string } | null;
}

interface StreamStats {
  readonly count: number;
  readonly streams: readonly Stream[];
  /** Missing from older server releases. */
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

/** Returns a function that refetches all data of this screen. */
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

/** Returns the error text: no permission, broker unavailable, or server unavailable. */
export function streamsProblem(error: unknown): string {
  if (isDenied(error)) return strings.denied;
  const isBroker =
    error instanceof ConnectError && error.code === Code.Unavailable && !(error.cause instanceof TypeError);
  return isBroker ? text.brokerDown : text.unavailable;
}
