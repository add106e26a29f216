import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useMutation, useQuery } from "@connectrpc/connect-query";
import type { SongAnalysis } from "@followspot/contract";
import { MusicService, type Song } from "@followspot/contract/music";
import { SoundService } from "@followspot/contract/sound";
import { useQuery as usePlainQuery, useQueryClient } from "@tanstack/react-query";
import { requestJson } from "../../lib/http.ts";
import { methodKey } from "../../lib/list-source.ts";
import { sayWhy } from "../../ui/delete-dialog.tsx";
import type { PlacedSection } from "./song-place.ts";

const rpc = MusicService.method;

/** Read again when a person changes one, votes or plays one. */
export const usePlaylists = (isWanted = true) => useQuery(rpc.listPlaylists, {}, { staleTime: 0, enabled: isWanted });

export const useShowQueue = () => useQuery(rpc.getShowQueue, {}, { staleTime: 0 });

/** What only the player knows, such as how far lamps are from the sound, is asked for this often. */
const SOUND_MS = 5000;

/** Who plays what is heard, and how loud; read again when a player comes or goes. */
export const useSound = (isAllowed: boolean, everyMs = SOUND_MS) =>
  useQuery(SoundService.method.getSound, {}, { staleTime: 0, refetchInterval: everyMs, enabled: isAllowed });

export function useSoundCalls() {
  const cache = useQueryClient();
  const onSettled = () => cache.invalidateQueries({ queryKey: methodKey(SoundService.method.getSound) });
  const settled = { onError: sayWhy, onSettled };
  return {
    set: useMutation(SoundService.method.setSound, settled),
    makeLink: useMutation(SoundService.method.createPlayerLink, settled),
    withdrawLink: useMutation(SoundService.method.withdrawPlayerLink, settled),
  };
}

/** Songs that were asked for; read again when one is. */
export const useSongRequests = (isAllowed: boolean) =>
  useQuery(rpc.listSongRequests, {}, { staleTime: 0, enabled: isAllowed });

export function useRequestCalls() {
  const cache = useQueryClient();
  const onSettled = () => cache.invalidateQueries({ queryKey: methodKey(rpc.listSongRequests) });
  return { decide: useMutation(rpc.decideSongRequest, { onError: sayWhy, onSettled }) };
}

/** Changes of playlists and of what plays; both are read again afterwards, and a refusal is said in the corner. */
export function usePlaylistCalls() {
  const cache = useQueryClient();
  const settled = {
    onError: sayWhy,
    onSettled: async () => {
      await cache.invalidateQueries({ queryKey: methodKey(rpc.listPlaylists) });
      await cache.invalidateQueries({ queryKey: methodKey(rpc.getShowQueue) });
    },
  };
  return {
    vote: useMutation(rpc.votePlaylistSong, settled),
    // One after the other: songs stand in the order in which they were pressed.
    add: useMutation(rpc.addSongToPlaylist, {
      onError: sayWhy,
      onSettled: () => void settled.onSettled(),
      scope: { id: "songs of playlists" },
    }),
    take: useMutation(rpc.removeSongFromPlaylist, settled),
    remove: useMutation(rpc.deletePlaylist, { onSettled: settled.onSettled }),
    play: useMutation(rpc.playPlaylist, settled),
    skip: useMutation(rpc.skipSong, settled),
    stop: useMutation(rpc.stopMusic, settled),
    pause: useMutation(rpc.pauseMusic, settled),
    resume: useMutation(rpc.resumeMusic, settled),
    seek: useMutation(rpc.seekMusic, settled),
    setTransition: useMutation(rpc.setPlaylistTransition, { onSettled: settled.onSettled }),
    setOrder: useMutation(rpc.setPlaylistOrder, settled),
    setRequests: useMutation(rpc.setSongRequests, settled),
    setWalkIn: useMutation(rpc.setWalkIn, settled),
    playWalkIn: useMutation(rpc.playWalkIn, settled),
    stopWalkIn: useMutation(rpc.stopWalkIn, settled),
    create: useMutation(rpc.createPlaylist, { onSettled: settled.onSettled }),
    rename: useMutation(rpc.renamePlaylist, { onSettled: settled.onSettled }),
  };
}

export type PlaylistCalls = ReturnType<typeof usePlaylistCalls>;

/** How a song is built; seconds. */
export interface SongForm {
  readonly duration: number;
  readonly sections: readonly PlacedSection[];
  readonly drops: readonly number[];
}

/** Sections and drops of a song; undefined until they are read, and for a song without an analysis. Read again once it is corrected. */
export function useSongForm(song: Song | undefined): SongForm | undefined {
  const id = song?.id ?? "";
  return usePlainQuery({
    queryKey: ["form of song", id, song?.updatedAt && timestampMs(song.updatedAt)],
    enabled: id !== "",
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    placeholderData: (before: SongForm | undefined, beforeOf) => (beforeOf?.queryKey[1] === id ? before : undefined),
    queryFn: async ({ signal }) => {
      const path = `/proxy/songs/${encodeURIComponent(id)}/hybrid.json`;
      const { duration, structure, drop_predictions } = await requestJson<SongAnalysis>(path, { signal });
      return { duration, sections: structure.sections, drops: drop_predictions.map(({ time }) => time) };
    },
  }).data;
}
