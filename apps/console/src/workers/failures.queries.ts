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

/** A failure as the screen shows it. */
export interface ShownFailure {
  readonly subject: string;
  readonly data: unknown;
  /** Its number in the stream, where it is told. */
  readonly sequence?: bigint;
}

/** The same over plain HTTP; an older release tells no number. */
type ToldFailure = Omit<ShownFailure, "sequence"> & { readonly sequence?: number };

/** The newest ones, each for itself. */
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

/** Those that match, by cause. */
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

/** The rows of one cause, page by page. */
export const useFailuresOf = (key: string, query: string) =>
  useInfiniteQuery(
    listFailures,
    { key, query, before: 0n },
    { staleTime: 0, pageParamKey: "before", getNextPageParam: ({ nextBefore }) => nextBefore || undefined },
  );

/** Retries a whole cause, and says meanwhile how many of its failures were looked at. */
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

/** Failures that are to be dismissed: a single one by its number, or all of a cause up to its newest. */
export type Dismissal = { readonly count: number } & (
  { readonly sequence: bigint } | { readonly cause: { readonly key: string; readonly upTo: bigint } }
);

/** @param query what the list was searched for */
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

/** What the server tells of a failure, for its row; what was cut off stays a text. */
export function shown({ sequence, subject, data }: Failure): ShownFailure {
  try {
    return { sequence, subject, data: JSON.parse(data) as unknown };
  } catch {
    return { sequence, subject, data };
  }
}

/** What can be retried about a failure; undefined when it names no song. */
export function retryTarget({ subject, data }: ShownFailure): RetryTarget | undefined {
  if (typeof data !== "object" || data === null || !("song_id" in data)) return undefined;
  const { song_id: songId } = data;
  if (typeof songId !== "string" || songId === "") return undefined;
  const named = "step" in data ? data.step : subject.split(".").at(-1);
  const step = SONG_STEPS.find((candidate) => candidate === named);
  return step && { songId, step };
}

/** What the song of a failure is called, where it says so. */
export function songTitle({ data }: ShownFailure): string {
  const title = typeof data === "object" && data !== null && "title" in data ? data.title : "";
  return typeof title === "string" ? title : "";
}
