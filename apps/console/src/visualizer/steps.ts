/** Something that is edited: what is shown, what came before, what was taken back, and what the server holds. */
export interface Steps<T> {
  readonly present: T;
  readonly past: readonly T[];
  readonly future: readonly T[];
  readonly saved: T;
}

export const beginSteps = <T>(saved: T): Steps<T> => ({ present: saved, past: [], future: [], saved });

/** @param replaces the last step goes on instead of a new one */
export function takeStep<T>(steps: Steps<T>, next: T, replaces = false): Steps<T> {
  const { present, past } = steps;
  return { ...steps, present: next, past: replaces ? past : [...past, present], future: [] };
}

/** Nothing to take back: as it was. */
export function undoStep<T>(steps: Steps<T>): Steps<T> {
  const { present, past, future } = steps;
  if (past.length === 0) return steps;
  return { ...steps, present: past.at(-1)!, past: past.slice(0, -1), future: [present, ...future] };
}

export function redoStep<T>(steps: Steps<T>): Steps<T> {
  const { present, past, future } = steps;
  if (future.length === 0) return steps;
  return { ...steps, present: future[0]!, past: [...past, present], future: future.slice(1) };
}
