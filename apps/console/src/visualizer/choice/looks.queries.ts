import { useMutation, useQuery } from "@connectrpc/connect-query";
import { lookSchema, type Look } from "@followspot/contract";
import { MusicService } from "@followspot/contract/music";
import { useQueryClient } from "@tanstack/react-query";
import { createConnectQueryKey } from "@connectrpc/connect-query";

const { listLooks, saveLook, renameLook, deleteLook } = MusicService.method;

export interface SavedLook {
  readonly id: string;
  readonly name: string;
  readonly look: Look;
}

/** Looks of the community, sorted by name. Looks of a newer Followspot version that cannot be parsed are omitted. */
export function useLooks() {
  return useQuery(
    listLooks,
    {},
    {
      select: ({ looks }): readonly SavedLook[] =>
        looks.flatMap(({ id, name, lookJson }) => {
          const { data } = lookSchema.safeParse(JSON.parse(lookJson));
          return data ? [{ id, name, look: data }] : [];
        }),
    },
  );
}

export function useLookCalls() {
  const cache = useQueryClient();
  const onSuccess = () =>
    cache.invalidateQueries({ queryKey: createConnectQueryKey({ schema: listLooks, cardinality: "finite" }) });
  return {
    save: useMutation(saveLook, { onSuccess }),
    rename: useMutation(renameLook, { onSuccess }),
    remove: useMutation(deleteLook, { onSuccess }),
  };
}
