import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isUnauthenticated } from "./errors.ts";
import { createStore } from "./store.ts";

/** True from the moment the server no longer knows our session until somebody signs in again. */
export const sessionExpired = createStore(false);

const watchSession = (error: unknown) => {
  if (isUnauthenticated(error)) sessionExpired.set(true);
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: watchSession }),
  mutationCache: new MutationCache({ onError: watchSession }),
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 1 && !isUnauthenticated(error),
      staleTime: 300_000,
    },
  },
});
