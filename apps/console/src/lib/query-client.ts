import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isFinal, isUnauthenticated } from "./errors.ts";
import { createStore } from "./store.ts";

/** True from the moment the server rejects our session until the user signs in again. */
export const sessionExpired = createStore(false);

/** `meta` of a call that signs in: its refusal does not end the session. */
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
      // Without a network a call fails at once and the failure is shown, instead of waiting under "Loading...".
      networkMode: "always",
      refetchOnReconnect: true,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 1 && !isFinal(error),
      staleTime: 300_000,
    },
    mutations: { networkMode: "always" },
  },
});
