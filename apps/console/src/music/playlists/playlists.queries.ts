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

/** Reads the playlists; refetched when a user changes, votes on or plays one. */
export const usePlaylists = (isWanted = true) => useQuery(rpc.listPlaylists, {}, { staleTime: 0, enabled: isWanted });

export const useShowQueue = () => useQuery(rpc.getShowQueue, {}, { staleTime: 0 });

/** Polling interval for state that only the player has, such as the offset between sound and fixtures, ms. */
const SOUND_MS = 5000;

/** Reads the active player and its volume; refetched when a player connects or disconnects. */
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
      // A read in progress may return an older state.
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

/** Reads song requests; refetched when one is added. */
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

/** Shows the queue of an answer immediately, unless a newer one is cached. */
async function showQueue(cache: QueryClient, queue: ShowQueue): Promise<void> {
  // A read in progress may return an older state.
  await cache.cancelQueries({ queryKey: QUEUE });
  const known = cachedQueue(cache);
  const shown = known && known.revision > queue.revision ? known : queue;
  cache.setQueriesData({ queryKey: QUEUE }, () => create(GetShowQueueResponseSchema, { queue: shown }));
}

/** Mutation key that finds skips in progress. */
export const SKIP = ["skip"] as const;

/**
 * Returns the calls that change playlists and the show queue. Both are refetched after a change; a refusal is shown as
 * a toast.
 */
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
  /** For calls that return the queue, which is then not refetched. */
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
    // One after another, so that songs are in the order of the presses.
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

/** Structure of a song; times in seconds. */
export interface SongForm {
  readonly duration: number;
  readonly sections: readonly PlacedSection[];
  readonly drops: readonly number[];
}

/**
 * Returns sections and drops of a song; undefined until they are loaded, and for a song without analysis. Refetched
 * after a correction.
 */
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
