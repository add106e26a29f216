import {
  callUnaryMethod,
  useInfiniteQuery,
  useMutation as useCallMutation,
  useTransport,
} from "@connectrpc/connect-query";
import type { Transport } from "@connectrpc/connect";
import { SONG_STEPS } from "@followspot/contract";
import { QueuesService, type Failure, type FailureGroup } from "@followspot/contract/queues";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { requestJson } from "../lib/http.ts";
import type { RetryTarget } from "../lib/retry-song.ts";
import { POLLED, useRefresh } from "./workers.queries.ts";

const { dismissFailures, listFailureGroups, listFailures, retryFailures } = QueuesService.method;
const MOST_NEWEST = 50;

/** Failure in the form that the screen shows. */
export interface ShownFailure {
  readonly subject: string;
  readonly data: unknown;
  /** Sequence number in the stream; undefined if the server does not send it. */
  readonly sequence?: bigint;
}

/** Failure as JSON from the HTTP endpoint; older releases send no sequence number. */
type ToldFailure = Omit<ShownFailure, "sequence"> & { readonly sequence?: number };

/** Polls the newest failures, ungrouped. */
export function useNewestFailures(enabled: boolean) {
  return useQuery({
    ...POLLED,
    enabled,
    queryKey: ["workers", "failures"],
    queryFn: async ({ signal }): Promise<readonly ShownFailure[]> => {
      const path = `/api/queues/songs/failures?limit=${MOST_NEWEST}`;
      const { items } = await requestJson<{ readonly items?: readonly ToldFailure[] }>(path, { signal });
      return (items ?? []).map(({ sequence, ...told }) => ({
        ...told,
        ...(sequence !== undefined && { sequence: BigInt(sequence) }),
      }));
    },
  });
}

/** Polls the matching failures, grouped by cause. */
export const useFailureGroups = (query: string, enabled: boolean) =>
  useInfiniteQuery(
    listFailureGroups,
    { query, pageToken: "" },
    {
      ...POLLED,
      enabled,
      pageParamKey: "pageToken",
      getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
      placeholderData: keepPreviousData,
    },
  );

/** Queries the failures of one cause, page by page. */
export const useFailuresOf = (key: string, query: string) =>
  useInfiniteQuery(
    listFailures,
    { key, query, before: 0n },
    { staleTime: 0, pageParamKey: "before", getNextPageParam: ({ nextBefore }) => nextBefore || undefined },
  );

/** Retries all failures of a cause. `looked` is the number of failures processed so far. */
export function useRetryGroup({ key, count }: Pick<FailureGroup, "key" | "count">, query: string) {
  const transport = useTransport();
  const [looked, setLooked] = useState(0);
  const retry = useMutation({
    mutationFn: () =>
      retryGroup(transport, key, query, (more) => setLooked((before) => Math.min(count, before + more))),
    onMutate: () => setLooked(0),
  });
  return { ...retry, looked };
}

async function retryGroup(transport: Transport, key: string, query: string, onLooked: (more: number) => void) {
  const sum = { retried: 0, recovered: 0, deleted: 0 };
  let before = 0n;
  do {
    const { retried, recovered, deleted, nextBefore } = await callUnaryMethod(transport, retryFailures, {
      key,
      query,
      before,
    });
    sum.retried += retried;
    sum.recovered += recovered;
    sum.deleted += deleted;
    onLooked(retried + recovered + deleted);
    before = nextBefore;
  } while (before !== 0n);
  return sum;
}

/** Failures to dismiss: one by its sequence number, or all of a cause up to the newest known one. */
export type Dismissal = { readonly count: number } & (
  | { readonly sequence: bigint }
  | { readonly cause: { readonly key: string; readonly upTo: bigint } }
);

/** Dismisses failures. @param query search query of the list */
export function useDismiss(query: string) {
  const refresh = useRefresh();
  const dismiss = useCallMutation(dismissFailures, { onSettled: refresh });
  const run = (dismissals: readonly Dismissal[]) =>
    dismiss.mutateAsync({
      query,
      sequences: dismissals.flatMap((one) => ("sequence" in one ? [one.sequence] : [])),
      causes: dismissals.flatMap((one) => ("cause" in one ? [one.cause] : [])),
    });
  return { ...dismiss, run };
}

/** Converts a failure from the server for its row. Truncated data stays a string. */
export function shown({ sequence, subject, data }: Failure): ShownFailure {
  try {
    return { sequence, subject, data: JSON.parse(data) as unknown };
  } catch {
    return { sequence, subject, data };
  }
}

/** Returns the song and step to retry; undefined if the failure names no song or an unknown step. */
export function retryTarget({ subject, data }: ShownFailure): RetryTarget | undefined {
  if (typeof data !== "object" || data === null || !("song_id" in data)) return undefined;
  const { song_id: songId } = data;
  if (typeof songId !== "string" || songId === "") return undefined;
  const named = "step" in data ? data.step : subject.split(".").at(-1);
  const step = SONG_STEPS.find((candidate) => candidate === named);
  return step && { songId, step };
}

/** Returns the song title from a failure; empty if it has none. */
export function songTitle({ data }: ShownFailure): string {
  const title = typeof data === "object" && data !== null && "title" in data ? data.title : "";
  return typeof title === "string" ? title : "";
}
