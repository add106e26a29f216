import { UNSEEN_MS, type OpenPlayerRow } from "./open-players.store.ts";
import type { PaPlayerRow } from "./pa-player.store.ts";

/** The player that is heard may be away for so long before another that opens is heard in its place. */
const AWAY_MS = 5000;
/** The sound output waits so long for a page that is disconnected: the page plays on by itself meanwhile. */
const OUTPUT_WAITS_MS = 60_000;

/** A player that opens, or asks again. */
export interface Greeting {
  readonly page: string;
  /** It is the sound output of an installation. */
  readonly isOutput: boolean;
  /** A person has pressed the button. */
  readonly takesOver: boolean;
}

/** The page that is heard has no connection to any API. */
export interface Away {
  readonly ms: number;
  /** It did not say that it closed: it may play on by itself. */
  readonly isLost: boolean;
}

/**
 * How long the page that is heard is away.
 * @param heard its latest connection; undefined where none is known
 * @param watchedMs for so long the API that asks has reached the database without a break: a connection that
 * it has not seen yet may be open
 * @returns undefined while it is open
 */
export function awayOf(heard: OpenPlayerRow | undefined, watchedMs: number): Away | undefined {
  if (heard === undefined) return { ms: watchedMs, isLost: true };
  if (heard.left_ms !== null)
    return heard.is_lost
      ? { ms: Math.min(heard.left_ms, watchedMs), isLost: true }
      : { ms: heard.left_ms, isLost: false };
  if (heard.is_open || watchedMs < UNSEEN_MS) return undefined;
  return { ms: Math.min(heard.unseen_ms, watchedMs), isLost: true };
}

/** Whether a player that greets is the one that is heard from now on. @param away undefined while the one before is open */
export function becomesHeard(greeting: Greeting, before: PaPlayerRow, away: Away | undefined): boolean {
  const { page, isOutput, takesOver } = greeting;
  if (takesOver || before.heard_page === "" || before.heard_page === page) return true;
  // The sound output was heard in its place.
  if (before.displaced_page !== "" && isSameMachine(before.displaced_page, page)) return true;
  if (away === undefined) return false;
  // A browser that was closed and opened again is the same machine at once.
  return isSameMachine(before.heard_page, page) || away.ms > (isOutput && away.isLost ? OUTPUT_WAITS_MS : AWAY_MS);
}

/** The row once a player is heard. */
export function heardNow(before: PaPlayerRow, { page, isOutput }: Greeting, name: string): PaPlayerRow {
  const isNew = before.heard_page !== page;
  const displaced = isOutput ? before.heard_page : "";
  return { ...before, heard_page: page, heard_name: name, ...(isNew && { displaced_page: displaced }) };
}

const isSameMachine = (page: string, other: string): boolean => machineOf(page) === machineOf(other);

const machineOf = (page: string): string => page.split(".", 1)[0]!;
