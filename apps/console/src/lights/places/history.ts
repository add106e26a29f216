import type { Edits } from "./places.ts";

/** What a person changed of the places, with the steps back and forth. */
export interface History {
  readonly past: readonly Edits[];
  readonly now: Edits;
  readonly future: readonly Edits[];
  /** What the last step was; the same once more goes on with it. */
  readonly step?: string | undefined;
}

export const UNCHANGED: History = { past: [], now: new Map(), future: [] };

/** Steps that are kept. */
const MOST = 200;

/** One more step. @param step names what goes on, such as one drag: it is taken back as one */
export function stepped({ past, now, step: last }: History, next: Edits, step?: string): History {
  const goesOn = step !== undefined && step === last;
  return { past: goesOn ? past : [...past, now].slice(-MOST), now: next, future: [], step };
}

let steps = 0;

/** A name that no other step has. */
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
