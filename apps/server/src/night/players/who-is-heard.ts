import { UNSEEN_MS, type OpenPlayerRow } from "./open-players.store.ts";
import type { PaPlayerRow } from "./pa-player.store.ts";

/** Time that the active player may be away before another that opens becomes active, ms. */
const AWAY_MS = 5000;
/** Time that the sound output waits for a disconnected page, ms: the page plays on by itself during it. */
const OUTPUT_WAITS_MS = 60_000;

/** A player that opens, or asks again to become active. */
export interface Greeting {
  readonly page: string;
  /** Whether it is the sound output of an installation. */
  readonly isOutput: boolean;
  /** Whether a user has pressed the button. */
  readonly takesOver: boolean;
}

/** State of an active page without a connection to any API. */
export interface Away {
  readonly ms: number;
  /** True if it was disconnected without closing: it may play on by itself. */
  readonly isLost: boolean;
}

/**
 * Returns how long the active page has been away.
 * @param heard its latest connection; undefined if none is known
 * @param watchedMs time for which the calling API has reached the database without a break: a connection that it has
 * not seen yet may be open
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

/** Whether a player becomes the active one. @param away undefined while the active player is open */
export function becomesHeard(greeting: Greeting, before: PaPlayerRow, away: Away | undefined): boolean {
  const { page, isOutput, takesOver } = greeting;
  if (takesOver || before.heard_page === "" || before.heard_page === page) return true;
  // The sound output had replaced it.
  if (before.displaced_page !== "" && isSameMachine(before.displaced_page, page)) return true;
  if (away === undefined) return false;
  // A browser that was closed and reopened is recognized as the same machine at once.
  return isSameMachine(before.heard_page, page) || away.ms > (isOutput && away.isLost ? OUTPUT_WAITS_MS : AWAY_MS);
}

/** Returns the row after a player became active. */
export function heardNow(before: PaPlayerRow, { page, isOutput }: Greeting, name: string): PaPlayerRow {
  const isNew = before.heard_page !== page;
  const displaced = isOutput ? before.heard_page : "";
  return { ...before, heard_page: page, heard_name: name, ...(isNew && { displaced_page: displaced }) };
}

const isSameMachine = (page: string, other: string): boolean => machineOf(page) === machineOf(other);

const machineOf = (page: string): string => page.split(".", 1)[0]!;
