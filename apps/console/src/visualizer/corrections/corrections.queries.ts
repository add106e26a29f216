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

/** What a correction starts from: the song as it was heard, and what is corrected in it already. */
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
    // Edits are made on what is there now, not on what was there when the page was opened first.
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

/** Stores corrections; the header then follows the new plan. @returns the revision they are */
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
        // It may be an earlier save from here whose answer was lost: then these edits follow it.
        const now = await findStored(transport, songId).catch(() => undefined);
        if (!now || !sent.current.has(hashKey([now.stored]))) throw error;
        return save(corrections, now.revision);
      }
    },
    // The plan is queued from now on, even where it is finished before any message says so.
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
