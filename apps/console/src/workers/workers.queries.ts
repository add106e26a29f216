import { Code, ConnectError } from "@connectrpc/connect";
import { SONG_STEPS, type SongStep } from "@followspot/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { requestJson } from "../lib/http.ts";

/** How often the screen asks; nobody has to press Refresh. */
export const POLL_MS = 5000;
const MOST_FAILURES = 50;

const consumerSchema = z.object({
  name: z.string(),
  delivered: z.number(),
  numPending: z.number(),
  ackPending: z.number(),
  filterSubject: z.string().optional(),
});

const streamSchema = z.object({
  name: z.string(),
  messages: z.number(),
  bytes: z.number(),
  consumers: z.number(),
  firstSeq: z.number(),
  lastSeq: z.number(),
  subjects: z.array(z.string()).default([]),
  consumerDetails: z.array(consumerSchema).default([]),
});

const statsSchema = z.object({ count: z.number(), streams: z.array(streamSchema) });
const failuresSchema = z.object({ items: z.array(z.object({ subject: z.string(), data: z.unknown() })) });

export type Consumer = z.infer<typeof consumerSchema>;
export type Stream = z.infer<typeof streamSchema>;
export type Failure = z.infer<typeof failuresSchema>["items"][number];

const STATS_KEY = ["workers", "streams"];
const FAILURES_KEY = ["workers", "failures"];

export function useStreams() {
  return useQuery({
    queryKey: STATS_KEY,
    refetchInterval: POLL_MS,
    staleTime: 0,
    queryFn: async ({ signal }) => statsSchema.parse(await requestJson("/api/queues/all/stats", { signal })),
  });
}

/** An empty list when they cannot be read: the streams are what this screen is about. */
export function useFailures() {
  return useQuery({
    queryKey: FAILURES_KEY,
    refetchInterval: POLL_MS,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<readonly Failure[]> => {
      const answer = await requestJson(`/api/queues/songs/failures?limit=${MOST_FAILURES}`, { signal }).catch(
        () => undefined,
      );
      const parsed = failuresSchema.safeParse(answer);
      return parsed.success ? parsed.data.items : [];
    },
  });
}

/** Song and step a retry starts from. */
export interface RetryTarget {
  readonly songId: string;
  readonly step: SongStep;
}

export function useRetrySong() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ songId, step }: RetryTarget) =>
      requestJson(`/api/songs/${encodeURIComponent(songId)}/retry?step=${step}`, { method: "POST" }),
    onSuccess: () => Promise.all([STATS_KEY, FAILURES_KEY].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

/** What can be retried about a failure; undefined when it names no song. */
export function retryTarget({ subject, data }: Failure): RetryTarget | undefined {
  if (typeof data !== "object" || data === null || !("song_id" in data)) return undefined;
  const { song_id: songId } = data;
  if (typeof songId !== "string" || songId === "") return undefined;
  const named = "step" in data ? data.step : subject.split(".").at(-1);
  const step = SONG_STEPS.find((candidate) => candidate === named);
  return step && { songId, step };
}

/** The server answers but its broker does not, or the server itself does not. */
export function streamsProblem(error: unknown): string {
  const isBroker =
    error instanceof ConnectError && error.code === Code.Unavailable && !(error.cause instanceof TypeError);
  return isBroker ? "Failed to load queue data. Make sure NATS is running." : "Queue stats endpoint unavailable";
}
