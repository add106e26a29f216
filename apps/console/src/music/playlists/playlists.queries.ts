import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useMutation, useQuery, useTransport } from "@connectrpc/connect-query";
import type { SongAnalysis } from "@followspot/contract";
import { GetShowQueueResponseSchema, MusicService, type ShowQueue, type Song } from "@followspot/contract/music";
import { GetSoundResponseSchema, SoundService, type Sound } from "@followspot/contract/sound";
import { useQuery as usePlainQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { requestJson } from "../../lib/http.ts";
import { caller, methodKey } from "../../lib/list-source.ts";
import { useToggle } from "../../lib/use-toggle.ts";
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

const SOUND = methodKey(SoundService.method.getSound);
const cachedSound = (cache: QueryClient) => cache.getQueriesData<{ sound?: Sound }>({ queryKey: SOUND })[0]?.[1]?.sound;

export function useSoundCalls() {
  const cache = useQueryClient();
  const call = caller(useTransport());
  const settled = {
    onError: sayWhy,
    onSettled: async (answer: { readonly sound?: Sound | undefined } | undefined) => {
      if (!answer?.sound) return cache.invalidateQueries({ queryKey: SOUND });
      // A read that is in progress may bring an older state.
      await cache.cancelQueries({ queryKey: SOUND });
      const { sound } = answer;
      cache.setQueriesData({ queryKey: SOUND }, () => create(GetSoundResponseSchema, { sound }));
    },
  };
  return {
    set: useMutation(SoundService.method.setSound, settled),
    toggleMute: useToggle(
      "mute",
      () => call(SoundService.method.setSound, { isMuted: !cachedSound(cache)?.isMuted }),
      settled,
    ),
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

const QUEUE = methodKey(rpc.getShowQueue);
const cachedQueue = (cache: QueryClient) =>
  cache.getQueriesData<{ queue?: ShowQueue }>({ queryKey: QUEUE })[0]?.[1]?.queue;

/** Shows the queue of an answer at once, unless a newer one is known. */
async function showQueue(cache: QueryClient, queue: ShowQueue): Promise<void> {
  // A read that is in progress may bring an older state.
  await cache.cancelQueries({ queryKey: QUEUE });
  const known = cachedQueue(cache);
  const shown = known && known.revision > queue.revision ? known : queue;
  cache.setQueriesData({ queryKey: QUEUE }, () => create(GetShowQueueResponseSchema, { queue: shown }));
}

/** Skips in progress are found by it. */
export const SKIP = ["skip"] as const;

/** Changes of playlists and of what plays. Both are read again after a change; a refusal is shown in the corner. */
export function usePlaylistCalls() {
  const cache = useQueryClient();
  const call = caller(useTransport());
  const settled = {
    onError: sayWhy,
    onSettled: async () => {
      await cache.invalidateQueries({ queryKey: methodKey(rpc.listPlaylists) });
      await cache.invalidateQueries({ queryKey: QUEUE });
    },
  };
  /** Of calls that answer with the queue, which is not read again. */
  const moved = {
    onError: sayWhy,
    onSettled: async (answer: { readonly queue?: ShowQueue | undefined } | undefined) => {
      void cache.invalidateQueries({ queryKey: methodKey(rpc.listPlaylists) });
      if (answer?.queue) await showQueue(cache, answer.queue);
      else void cache.invalidateQueries({ queryKey: QUEUE });
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
    play: useMutation(rpc.playPlaylist, moved),
    skip: useMutation(rpc.skipSong, { ...moved, mutationKey: SKIP }),
    stop: useMutation(rpc.stopMusic, moved),
    togglePause: useToggle(
      "pause",
      async () => (cachedQueue(cache)?.mode === "paused" ? call(rpc.resumeMusic, {}) : call(rpc.pauseMusic, {})),
      moved,
    ),
    resume: useMutation(rpc.resumeMusic, moved),
    seek: useMutation(rpc.seekMusic, moved),
    setTransition: useMutation(rpc.setPlaylistTransition, { onSettled: settled.onSettled }),
    setOrder: useMutation(rpc.setPlaylistOrder, settled),
    setRequests: useMutation(rpc.setSongRequests, settled),
    setWalkIn: useMutation(rpc.setWalkIn, settled),
    toggleWalkIn: useToggle(
      "walk-in",
      async () => (cachedQueue(cache)?.walkInDb === undefined ? call(rpc.playWalkIn, {}) : call(rpc.stopWalkIn, {})),
      moved,
    ),
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
