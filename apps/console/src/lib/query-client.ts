import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isFinal, isUnauthenticated } from "./errors.ts";
import { createStore } from "./store.ts";

/** True from the moment the server no longer knows our session until a person signs in again. */
export const sessionExpired = createStore(false);

/** `meta` of a call that is made to get in: its refusal ends no session. */
export const AT_THE_DOOR = { atTheDoor: true } as const;

function watchSession(error: unknown, { meta }: { readonly meta?: Record<string, unknown> | undefined }): void {
  if (isUnauthenticated(error) && !meta?.["atTheDoor"]) sessionExpired.set(true);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: watchSession }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => watchSession(error, mutation),
  }),
  defaultOptions: {
    queries: {
      // Without a network an answer is a refusal to be told, not something to wait for under "Loading...".
      networkMode: "always",
      refetchOnReconnect: true,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 1 && !isFinal(error),
      staleTime: 300_000,
    },
    mutations: { networkMode: "always" },
  },
});
