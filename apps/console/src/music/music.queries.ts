import { useMutation, useQuery } from "@connectrpc/connect-query";
import type { SongStep } from "@followspot/contract";
import { MusicService, type Song } from "@followspot/contract/music";
import { useMutation as usePlainMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { refreshList, useChange } from "../lib/list-refresh.ts";
import { countsOf, pagesOf, type ListSource } from "../lib/list-source.ts";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { DEMO_SONGS } from "./demo-songs.ts";

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

/** Demo songs in the order of creation; each takes some seconds. */

/** Adds the demo songs one after another; each appears in the list when it is finished. */
export function useAddDemoSongs() {
  const cache = useQueryClient();
  const { mutateAsync } = useMutation(rpc.addDemoSong, { onSettled: () => refreshList(cache, SONGS) });
  return usePlainMutation({
    mutationFn: async () => {
      for (const song of DEMO_SONGS) await mutateAsync({ song });
    },
    onError: sayWhy,
  });
}

export const useVideoSearch = () => useMutation(rpc.searchYoutube);

export const useVideoPlaylist = () => useMutation(rpc.listVideoPlaylist);

/** Polling interval while the dialog is open, ms: a downloader may be installing or under repair. */
const DOWNLOADER_POLL_MS = 3000;

export const useDownloader = () =>
  useQuery(rpc.getDownloader, {}, { refetchInterval: DOWNLOADER_POLL_MS, staleTime: 0 });

/** Returns the calls for a song as a whole. */
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
