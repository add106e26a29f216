import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

/** Something stored for a song, open for changes that are not saved yet. */
export interface Draft<Stored, State> {
  /** Undefined until it was read. */
  readonly state: State | undefined;
  readonly change: (next: (state: State) => State) => void;
  /** Reads what is stored in place of the changes; they stay when it cannot be read, or when they go on meanwhile. */
  readonly reload: (onRead: (stored: Stored) => void) => void;
  readonly retry: () => void;
  readonly isLoading: boolean;
  /** Why it could not be read. */
  readonly problem: unknown;
}

/** Opened once it is wanted, and kept open from then on. */
export function useDraft<Stored, State>({
  useStored,
  isWanted,
  open,
  follow,
}: {
  readonly useStored: (isWanted: boolean) => UseQueryResult<Stored>;
  readonly isWanted: boolean;
  readonly open: (stored: Stored) => State;
  /** What becomes of the changes when something else is stored; answers `state` itself where nothing does. */
  readonly follow: (state: State, stored: Stored) => State;
}): Draft<Stored, State> {
  const [state, setState] = useState<State>();
  const { data, isFetching, error, refetch } = useStored(isWanted || state !== undefined);

  // While it renders, so that the state before is never shown.
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
