import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

/** Value stored for a song, opened for editing. */
export interface Draft<Stored, State> {
  /** Undefined until the value was loaded. */
  readonly state: State | undefined;
  readonly change: (next: (state: State) => State) => void;
  /**
   * Loads the stored value in place of the changes. The changes stay if loading fails or the user
   * continues editing until then.
   */
  readonly reload: (onRead: (stored: Stored) => void) => void;
  readonly retry: () => void;
  readonly isLoading: boolean;
  /** Error that prevented loading; undefined if there is none. */
  readonly problem: unknown;
}

/** Opens a draft when it is first wanted and keeps it open. */
export function useDraft<Stored, State>({
  useStored,
  isWanted,
  open,
  follow,
}: {
  readonly useStored: (isWanted: boolean) => UseQueryResult<Stored>;
  readonly isWanted: boolean;
  readonly open: (stored: Stored) => State;
  /** Reconciles the changes with a new stored value; returns `state` itself if nothing changes. */
  readonly follow: (state: State, stored: Stored) => State;
}): Draft<Stored, State> {
  const [state, setState] = useState<State>();
  const { data, isFetching, error, refetch } = useStored(isWanted || state !== undefined);

  // Runs during rendering, so that the outdated state is never shown.
  if (data && !isFetching && (isWanted || state !== undefined)) {
    const next = state === undefined ? open(data) : follow(state, data);
    if (next !== state) setState(next);
  }
  return {
    state,
    change: (next) => setState((now) => now && next(now)),
    reload: (onRead) =>
      void refetch().then(({ isSuccess, data: stored }) => {
        if (!isSuccess) return;
        setState((now) => (now === state ? open(stored) : now));
        onRead(stored);
      }),
    retry: () => void refetch(),
    isLoading: isFetching,
    problem: error,
  };
}
