import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod, createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import type { SongStep } from "@followspot/contract";
import { MusicService, type RetrySongResponse } from "@followspot/contract/music";
import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";

/** Song and the step a retry starts from; the later steps run again after it. */
export interface RetryTarget {
  readonly songId: string;
  readonly step: SongStep;
}

const { getSong, listSongs, retrySong } = MusicService.method;
/** Cached answers that contain the status of songs, in pages or individually. */
const SHOWN_IN = [
  createConnectQueryKey({ schema: getSong, cardinality: undefined }),
  createConnectQueryKey({ schema: listSongs, cardinality: undefined }),
];
const underWay = new Map<string, Promise<RetrySongResponse>>();

/** Restarts one step of a song. A second press while the first is in progress is the same retry. */
export function useRetrySong() {
  const cache = useQueryClient();
  const transport = useTransport();
  return useMutation({
    mutationFn: (target: RetryTarget) => retryOnce(transport, target),
    onSettled: () => refreshSongs(cache),
  });
}

/**
 * Restarts a step of several songs, one after another. If some are refused, restarts the others and then fails with the
 * first refusal.
 */
export function useRetrySongs() {
  const cache = useQueryClient();
  const transport = useTransport();
  return useMutation({
    mutationFn: async (targets: readonly RetryTarget[]) => {
      const refusals: unknown[] = [];
      for (const target of targets) await retryOnce(transport, target).catch((error: unknown) => refusals.push(error));
      if (refusals.length > 0) throw refusals[0];
    },
    onSettled: () => refreshSongs(cache),
  });
}

function retryOnce(transport: Transport, { songId, step }: RetryTarget): Promise<RetrySongResponse> {
  const key = `${songId} ${step}`;
  const going =
    underWay.get(key) ?? callUnaryMethod(transport, retrySong, { songId, step }).finally(() => underWay.delete(key));
  underWay.set(key, going);
  return going;
}

const refreshSongs = (cache: QueryClient) =>
  Promise.all(SHOWN_IN.map((queryKey) => cache.invalidateQueries({ queryKey })));
