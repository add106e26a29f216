import { Code, ConnectError } from "@connectrpc/connect";
import {
  songAnalysisSchema,
  songCorrectionsSchema,
  type SongAnalysis,
  type SongCorrections,
} from "@followspot/contract";
import { hashKey, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { z } from "zod";
import { requestJson } from "../../lib/http.ts";
import { headingKey, type SongHeading } from "../visualizer.queries.ts";

const SERVICE = "/followspot.music.v1.MusicService";

const storedSchema = z.object({
  correctionsJson: z.string().default(""),
  revision: z.number().default(0),
});
const savedSchema = z.object({ revision: z.number() });

/** What a correction starts from: the song as it was heard, and what is corrected in it already. */
export interface CorrectionsStart {
  readonly heard: SongAnalysis;
  readonly stored: SongCorrections | undefined;
  readonly revision: number;
}

export function useCorrectionsStart(songId: string, isWanted: boolean) {
  return useQuery({
    queryKey: ["visualizer", songId, "corrections"],
    enabled: isWanted,
    // Edits are made on what is there now, not on what was there when the page was opened first.
    staleTime: 0,
    gcTime: 0,
    refetchOnMount: "always",
    refetchOnReconnect: false,
    queryFn: async ({ signal }): Promise<CorrectionsStart> => {
      const [heard, answer] = await Promise.all([
        requestJson(`/proxy/songs/${encodeURIComponent(songId)}/heard.json`, { signal }),
        findStored(songId, signal),
      ]);
      return { heard: songAnalysisSchema.parse(heard), ...answer };
    },
  });
}

/** Stores corrections; the header then follows the new plan. @returns the revision they are */
export function useSaveCorrections(songId: string) {
  const cache = useQueryClient();
  const sent = useRef(new Set<string>());
  const save = async (corrections: SongCorrections, revision: number): Promise<number> => {
    sent.current.add(hashKey([corrections]));
    const body = { song_id: songId, corrections_json: JSON.stringify(corrections), revision };
    return savedSchema.parse(await call("SaveSongCorrections", body)).revision;
  };
  return useMutation({
    mutationFn: async ({ corrections, revision }: { corrections: SongCorrections; revision: number }) => {
      try {
        return await save(corrections, revision);
      } catch (error) {
        if (ConnectError.from(error).code !== Code.Aborted) throw error;
        // It may be an earlier save from here whose answer was lost: then these edits follow it.
        const now = await findStored(songId).catch(() => undefined);
        if (!now || !sent.current.has(hashKey([now.stored]))) throw error;
        return save(corrections, now.revision);
      }
    },
    onSuccess: () => {
      // The plan is on the line from now on, even if it is there before we ask.
      cache.setQueryData<SongHeading>(headingKey(songId), (old) => old && { ...old, lightingStatus: "processing" });
      return cache.invalidateQueries({ queryKey: headingKey(songId) });
    },
  });
}

export function useRetryPlan(songId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => requestJson(`/api/songs/${encodeURIComponent(songId)}/retry?step=lighting`, { method: "POST" }),
    onSuccess: () => cache.invalidateQueries({ queryKey: headingKey(songId) }),
  });
}

async function findStored(songId: string, signal?: AbortSignal): Promise<Omit<CorrectionsStart, "heard">> {
  const answer = await call("GetSongCorrections", { song_id: songId }, signal);
  const { correctionsJson, revision } = storedSchema.parse(answer);
  return { stored: correctionsJson ? songCorrectionsSchema.parse(JSON.parse(correctionsJson)) : undefined, revision };
}

function call(method: string, body: object, signal?: AbortSignal): Promise<unknown> {
  const headers = { "content-type": "application/json", "connect-protocol-version": "1" };
  return requestJson(`${SERVICE}/${method}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}
