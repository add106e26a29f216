import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import {
  songAnalysisSchema,
  songCorrectionsSchema,
  type SongAnalysis,
  type SongCorrections,
} from "@followspot/contract";
import { MusicService, type SaveSongCorrectionsResponse } from "@followspot/contract/music";
import { hashKey, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { requestJson } from "../../lib/http.ts";
import { partKey, patchSong } from "../visualizer.queries.ts";

const { getSongCorrections, saveSongCorrections } = MusicService.method;

/** Base of the corrections: the uncorrected analysis, and the stored corrections. */
export interface CorrectionsStart {
  readonly heard: SongAnalysis;
  readonly stored: SongCorrections | undefined;
  readonly revision: number;
}

export function useCorrectionsStart(songId: string, isWanted: boolean) {
  const transport = useTransport();
  return useQuery({
    queryKey: partKey(songId, "corrections"),
    enabled: isWanted,
    // Edits start from the current data, not from the data of the first page load.
    staleTime: 0,
    gcTime: 0,
    refetchOnMount: "always",
    refetchOnReconnect: false,
    queryFn: async ({ signal }): Promise<CorrectionsStart> => {
      const [heard, answer] = await Promise.all([
        requestJson(`/proxy/songs/${encodeURIComponent(songId)}/heard.json`, { signal }),
        findStored(transport, songId, signal),
      ]);
      return { heard: songAnalysisSchema.parse(heard), ...answer };
    },
  });
}

/**
 * Saves corrections; the song in the cache then follows the new plan.
 * @returns mutation that resolves with the new revision
 */
export function useSaveCorrections(songId: string) {
  const cache = useQueryClient();
  const transport = useTransport();
  const sent = useRef(new Set<string>());
  const save = (corrections: SongCorrections, revision: number): Promise<SaveSongCorrectionsResponse> => {
    sent.current.add(hashKey([corrections]));
    const request = { songId, correctionsJson: JSON.stringify(corrections), revision };
    return callUnaryMethod(transport, saveSongCorrections, request);
  };
  return useMutation({
    mutationFn: async ({ corrections, revision }: { corrections: SongCorrections; revision: number }) => {
      try {
        return await save(corrections, revision);
      } catch (error) {
        if (ConnectError.from(error).code !== Code.Aborted) throw error;
        // The conflict may be an earlier save from this page whose response was lost. Then these edits follow it.
        const now = await findStored(transport, songId).catch(() => undefined);
        if (!now || !sent.current.has(hashKey([now.stored]))) throw error;
        return save(corrections, now.revision);
      }
    },
    // Marks the plan as queued immediately: it may be finished before the first event arrives.
    onSuccess: ({ song }) => patchSong(cache, songId, (old) => song ?? { ...old, lightingStatus: "processing" }),
  });
}

async function findStored(
  transport: Transport,
  songId: string,
  signal?: AbortSignal,
): Promise<Omit<CorrectionsStart, "heard">> {
  const answer = await callUnaryMethod(transport, getSongCorrections, { songId }, signal ? { signal } : {});
  const { correctionsJson, revision } = answer;
  return { stored: correctionsJson ? songCorrectionsSchema.parse(JSON.parse(correctionsJson)) : undefined, revision };
}
