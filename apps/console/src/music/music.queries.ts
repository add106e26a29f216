import { useMutation, useQuery } from "@connectrpc/connect-query";
import type { SongStep } from "@followspot/contract";
import { MusicService, type Song } from "@followspot/contract/music";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { refreshList, useChange } from "../lib/list-refresh.ts";
import { countsOf, pagesOf, type ListSource } from "../lib/list-source.ts";

const rpc = MusicService.method;

export const SONGS: ListSource<Song> = {
  name: "songs",
  ...pagesOf(rpc.listSongs, ({ songs }) => songs),
  id: ({ id }) => id,
  count: countsOf(rpc.countSongs),
  one: async (call, songId) => (await call(rpc.getSong, { songId })).song,
};

export function useAddSong() {
  const cache = useQueryClient();
  return useMutation(rpc.addSongFromYoutube, { onSettled: () => refreshList(cache, SONGS) });
}

export function useAddDemoSong() {
  const cache = useQueryClient();
  return useMutation(rpc.addDemoSong, { onSettled: () => refreshList(cache, SONGS) });
}

export const useVideoSearch = () => useMutation(rpc.searchYoutube);

export const useVideoPlaylist = () => useMutation(rpc.listVideoPlaylist);

/** While the dialog is open: a downloader may be on its way, or be mended. */
const DOWNLOADER_POLL_MS = 3000;

export const useDownloader = () =>
  useQuery(rpc.getDownloader, {}, { refetchInterval: DOWNLOADER_POLL_MS, staleTime: 0 });

/** What can be done to a song as a whole. */
export function useSongCalls() {
  const change = useChange(SONGS);
  return useMemo(
    () => ({
      remove: ({ id }: Song) => change(rpc.deleteSong, { songId: id }),
      restore: ({ id }: Song) => change(rpc.restoreSong, { songId: id }),
      cancel: ({ id }: Song) => change(rpc.cancelSong, { songId: id }),
      retry: ({ id }: Song, step: SongStep) => change(rpc.retrySong, { songId: id, step }),
    }),
    [change],
  );
}
