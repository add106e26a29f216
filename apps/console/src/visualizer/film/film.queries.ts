import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { MusicService } from "@followspot/contract/music";
import { useQueryClient } from "@tanstack/react-query";

const { listFilms, startFilm, cancelFilm } = MusicService.method;

/** How often the server is asked how far a film is. */
const LOOK_MS = 1000;

/** Films of the server and what it can make them with; asked again and again while one is being made. */
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
