import type { Edits } from "./places.ts";

/** Drafted position changes with their undo and redo steps. */
export interface History {
  readonly past: readonly Edits[];
  readonly now: Edits;
  readonly future: readonly Edits[];
  /** Name of the last step. A change with the same name is merged into it. */
  readonly step?: string | undefined;
}

export const UNCHANGED: History = { past: [], now: new Map(), future: [] };

/** Maximum number of undo steps; the oldest is dropped. */
const MOST = 200;

/** Adds an undo step. @param step name of a continuous action, such as one drag; changes with the same name form one step */
export function stepped({ past, now, step: last }: History, next: Edits, step?: string): History {
  const goesOn = step !== undefined && step === last;
  return { past: goesOn ? past : [...past, now].slice(-MOST), now: next, future: [], step };
}

let steps = 0;

/** Returns a unique step name. */
export const newStep = (): string => `step ${(steps += 1)}`;

export function undone(history: History): History {
  const { past, now, future } = history;
  const before = past.at(-1);
  return before ? { past: past.slice(0, -1), now: before, future: [now, ...future] } : history;
}

export function redone(history: History): History {
  const { past, now, future } = history;
  const [next, ...rest] = future;
  return next ? { past: [...past, now], now: next, future: rest } : history;
}
