import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { MusicService, type ListSongsResponse, type Song } from "@followspot/contract/music";
import { useMutation as usePlainMutation, useQueryClient } from "@tanstack/react-query";
import { requestJson } from "../lib/http.ts";
import { useStore } from "../lib/store.ts";
import { liveState } from "../realtime/live-state.ts";
import { songFilter } from "./song-badge.ts";

export type SongStep = "download" | "analysis" | "lighting";

const POLL_MS = 5000;
const { listSongs } = MusicService.method;
export const songsKey = createConnectQueryKey({ schema: listSongs, cardinality: "finite" });

/** All songs, newest first. While the socket is away and work goes on, they are asked for again. */
export function useSongs() {
  const live = useStore(liveState);
  return useQuery(
    listSongs,
    {},
    {
      refetchInterval: (query) =>
        live !== "live" && query.state.data?.songs.some((song) => songFilter(song) === "processing") ? POLL_MS : false,
    },
  );
}

export function useAddSong() {
  const put = usePutSong();
  return useMutation(MusicService.method.addSongFromYoutube, { onSuccess: ({ song }) => song && put(song) });
}

export function useRetrySong() {
  const cache = useQueryClient();
  return usePlainMutation({
    mutationFn: ({ songId, step }: { readonly songId: string; readonly step: SongStep }) =>
      requestJson(`/api/songs/${encodeURIComponent(songId)}/retry?step=${step}`, { method: "POST" }),
    onSettled: () => cache.invalidateQueries({ queryKey: songsKey }),
  });
}

export function useCancelSong() {
  const put = usePutSong();
  return useMutation(MusicService.method.cancelSong, { onSuccess: ({ song }) => song && put(song) });
}

export function useDeleteSong() {
  const cache = useQueryClient();
  return useMutation(MusicService.method.deleteSong, {
    onSuccess: (_answer, { songId }) => {
      cache.setQueriesData<ListSongsResponse>(
        { queryKey: songsKey },
        (list) => list && { ...list, songs: list.songs.filter((song) => song.id !== songId) },
      );
      void cache.invalidateQueries({ queryKey: songsKey });
    },
  });
}

/** Puts what the server answered into the list, ahead of the next reading. */
function usePutSong() {
  const cache = useQueryClient();
  return (fresh: Song) => {
    cache.setQueriesData<ListSongsResponse>(
      { queryKey: songsKey },
      (list) =>
        list && {
          ...list,
          songs: list.songs.some((song) => song.id === fresh.id)
            ? list.songs.map((song) => (song.id === fresh.id ? fresh : song))
            : [fresh, ...list.songs],
        },
    );
    void cache.invalidateQueries({ queryKey: songsKey });
  };
}
