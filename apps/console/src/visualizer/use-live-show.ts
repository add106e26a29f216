import type { Envelope, SongProgress } from "@followspot/contract";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { listen } from "../realtime/listeners.ts";
import { patchSong, refreshShow, RIG_KEY } from "./visualizer.queries.ts";

/**
 * Keeps the open page up to date with plans from elsewhere, retries, other users' corrections and changes of the rig.
 * Subscribes to `songs`, which includes the events of `song.{id}` and the progress.
 */
export function useLiveShow(songId: string): void {
  const cache = useQueryClient();
  useEffect(() => {
    const endings = [
      listen("songs", (envelope) => hearSong(cache, songId, envelope)),
      listen("lights", () => void cache.invalidateQueries({ queryKey: RIG_KEY })),
    ];
    return () => endings.forEach((end) => end());
  }, [cache, songId]);
}

function hearSong(cache: QueryClient, songId: string, { type, payload }: Envelope): void {
  if (type === "song.progress") return hearProgress(cache, songId, payload as SongProgress);
  const { song } = payload as { readonly song?: { readonly id?: string; readonly lightingStatus?: string } };
  // Before that, the files may be incomplete. The song itself delivers the statuses.
  if (song?.id === songId && song.lightingStatus === "ready") refreshShow(cache, songId);
}

function hearProgress(cache: QueryClient, songId: string, { song_id, step, progress }: SongProgress): void {
  if (song_id !== songId) return;
  patchSong(cache, songId, (song) => ({
    ...song,
    step,
    percent: Math.round(progress * 100),
    ...(step === "analysis" && { analysisStatus: "processing" }),
    ...(step === "lighting" && { lightingStatus: "processing" }),
  }));
}
