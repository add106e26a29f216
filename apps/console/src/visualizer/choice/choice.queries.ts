import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { showWishesSchema, type ShowWishes } from "@followspot/contract";
import { MusicService } from "@followspot/contract/music";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { partKey, patchSong, refreshShow } from "../visualizer.queries.ts";

const { getShowWishes, updateShowWishes, listPlanRevisions, restorePlanRevision } = MusicService.method;

export interface StoredWishes {
  readonly wishes: ShowWishes;
  readonly revision: number;
}

export function useStoredWishes(songId: string, isWanted: boolean) {
  const transport = useTransport();
  return useQuery({
    queryKey: partKey(songId, "wishes"),
    enabled: isWanted,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<StoredWishes> => {
      const { wishesJson, revision } = await callUnaryMethod(transport, getShowWishes, { songId }, { signal });
      return { wishes: showWishesSchema.parse(JSON.parse(wishesJson)), revision };
    },
  });
}

/** Saves the show settings. The song in the cache follows the new plan as soon as the response arrives. */
export function useUpdateWishes(songId: string) {
  const cache = useQueryClient();
  const transport = useTransport();
  return useMutation({
    mutationFn: ({ wishes, revision }: StoredWishes) =>
      callUnaryMethod(transport, updateShowWishes, { songId, wishesJson: JSON.stringify(wishes), revision }),
    onSuccess: ({ song, revision }, { wishes }) => {
      cache.setQueryData(partKey(songId, "wishes"), { wishes, revision } satisfies StoredWishes);
      patchSong(cache, songId, (old) => song ?? { ...old, lightingStatus: "processing" });
    },
  });
}

export function useRevisions(songId: string) {
  const transport = useTransport();
  return useQuery({
    queryKey: partKey(songId, "revisions"),
    queryFn: async ({ signal }) =>
      (await callUnaryMethod(transport, listPlanRevisions, { songId }, { signal })).revisions,
  });
}

export function useRestoreRevision(songId: string) {
  const cache = useQueryClient();
  const transport = useTransport();
  return useMutation({
    mutationFn: (number: number) => callUnaryMethod(transport, restorePlanRevision, { songId, number }),
    onSuccess: ({ song }) => {
      if (song) patchSong(cache, songId, () => song);
      refreshShow(cache, songId);
    },
  });
}
