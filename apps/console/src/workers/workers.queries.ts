import { Code, ConnectError } from "@connectrpc/connect";
import { SONG_STEPS } from "@followspot/contract";
import { useQuery as useCall } from "@connectrpc/connect-query";
import { MusicService } from "@followspot/contract/music";
import { useQuery } from "@tanstack/react-query";
import { isDenied } from "../lib/errors.ts";
import { requestJson } from "../lib/http.ts";
import type { RetryTarget } from "../lib/retry-song.ts";
import { strings } from "../lib/strings.ts";
import { workersStrings as text } from "./workers.strings.ts";

/** How often the screen asks; nobody has to press Refresh. */
export const POLL_MS = 5000;
const MOST_FAILURES = 50;

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

export interface Failure {
  readonly subject: string;
  readonly data: unknown;
}

const POLLED = { refetchInterval: POLL_MS, staleTime: 0 };

export function useStreams() {
  return useQuery({
    ...POLLED,
    queryKey: ["workers", "streams"],
    queryFn: ({ signal }) => requestJson<StreamStats>("/api/queues/all/stats", { signal }),
  });
}

export function useFailures() {
  return useQuery({
    ...POLLED,
    queryKey: ["workers", "failures"],
    queryFn: async ({ signal }): Promise<readonly Failure[]> => {
      const path = `/api/queues/songs/failures?limit=${MOST_FAILURES}`;
      const { items } = await requestJson<{ readonly items?: readonly Failure[] }>(path, { signal });
      return items ?? [];
    },
  });
}

export const useDownloaders = () => useCall(MusicService.method.getDownloader, {}, POLLED);

/** What can be retried about a failure; undefined when it names no song. */
export function retryTarget({ subject, data }: Failure): RetryTarget | undefined {
  if (typeof data !== "object" || data === null || !("song_id" in data)) return undefined;
  const { song_id: songId } = data;
  if (typeof songId !== "string" || songId === "") return undefined;
  const named = "step" in data ? data.step : subject.split(".").at(-1);
  const step = SONG_STEPS.find((candidate) => candidate === named);
  return step && { songId, step };
}

/** Who asks may not know, the server's broker does not answer, or the server itself does not. */
export function streamsProblem(error: unknown): string {
  if (isDenied(error)) return strings.denied;
  const isBroker =
    error instanceof ConnectError && error.code === Code.Unavailable && !(error.cause instanceof TypeError);
  return isBroker ? text.brokerDown : text.unavailable;
}
