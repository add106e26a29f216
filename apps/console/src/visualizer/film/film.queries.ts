import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { MusicService } from "@followspot/contract/music";
import { useQueryClient } from "@tanstack/react-query";

const { listFilms, startFilm, cancelFilm } = MusicService.method;

/** Interval between progress requests while a film is rendered, ms. */
const LOOK_MS = 1000;

/** Lists the server's films and its video formats. Polls while a film is rendered. */
export function useFilms() {
  return useQuery(
    listFilms,
    {},
    {
      refetchInterval: ({ state: { data } }) => (data?.films.some(({ state }) => state === "making") ? LOOK_MS : false),
    },
  );
}

export function useFilmCalls() {
  const cache = useQueryClient();
  const onSettled = () =>
    cache.invalidateQueries({ queryKey: createConnectQueryKey({ schema: listFilms, cardinality: "finite" }) });
  return { start: useMutation(startFilm, { onSettled }), cancel: useMutation(cancelFilm, { onSettled }) };
}
