/** Undo history of an edited value: present, earlier and undone values, and the value that the server stores. */
export interface Steps<T> {
  readonly present: T;
  readonly past: readonly T[];
  readonly future: readonly T[];
  readonly saved: T;
}

export const beginSteps = <T>(saved: T): Steps<T> => ({ present: saved, past: [], future: [], saved });

/**
 * Adds an undo step.
 * @param replaces whether the step continues the last one instead of adding one
 */
export function takeStep<T>(steps: Steps<T>, next: T, replaces = false): Steps<T> {
  const { present, past } = steps;
  return { ...steps, present: next, past: replaces ? past : [...past, present], future: [] };
}

/** Undoes the last step; returns the history unchanged if there is none. */
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
