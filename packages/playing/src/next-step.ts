import type { PlayerQueue, PlayerSong } from "@followspot/contract";

/**
 * Deviation from the queue's position that counts as a user's seek, seconds. Below it, the queue follows the player.
 */
const MOVED = 0.3;
/** Difference of start times from which the queue's song counts as restarted, ms. */
const OTHER_START_MS = 60;
/**
 * Time within which a song is still played from its start, if the player saw the start but could not play it in time,
 * seconds.
 */
const FRESH = 15;

/** The song that plays now or is scheduled. */
export interface Sounding {
  readonly songId: string;
  readonly turn: number;
  /** Start of the song according to the queue when it was scheduled, on the server's clock, ms. */
  readonly startsAt: number;
  /** Current playback position, song seconds. */
  readonly position: number;
}

export type Step =
  | { readonly kind: "keep" }
  | { readonly kind: "silence" }
  /** @param at song second; negative: that many seconds before the start */
  | { readonly kind: "start"; readonly song: PlayerSong; readonly at: number };

export interface Situation {
  readonly queue: PlayerQueue;
  readonly isHeard: boolean;
  /** Time on the server's clock, ms. */
  readonly serverMs: number;
  readonly sounding: Sounding | undefined;
  /** Turn whose start this player saw, so that it plays the song from its first second; undefined for any other. */
  readonly seenBeginOf: number | undefined;
}

/** Returns what a player does for a state of the queue. */
export function nextStep({ queue, isHeard, serverMs, sounding, seenBeginOf }: Situation): Step {
  const { song, mode, turn, starts_at } = queue;
  if (!isHeard || mode !== "playing" || !song) return { kind: "silence" };
  const position = (serverMs - starts_at) / 1000;
  if (position > song.seconds) return { kind: "silence" };
  if (sounding && sounding.turn === turn && sounding.songId === song.id) {
    const isSameStart = Math.abs(sounding.startsAt - starts_at) < OTHER_START_MS;
    if (isSameStart || Math.abs(sounding.position - position) < MOVED) return { kind: "keep" };
    return { kind: "start", song, at: position };
  }
  const isOwedWhole = seenBeginOf === turn && position < FRESH;
  return { kind: "start", song, at: isOwedWhole ? Math.min(0, position) : position };
}
