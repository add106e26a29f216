import type { PlayerQueue, PlayerSong } from "@followspot/contract";

/** Sound this far from where the queue has the song was moved by a person; nearer, the queue follows the sound. Seconds. */
const MOVED = 0.3;
/** Another start of the queue's song than the one it was laid by, ms. */
const OTHER_START_MS = 60;
/** A song whose beginning was seen and not heard in time is played from its beginning after all, if that is this fresh. Seconds. */
const FRESH = 15;

/** What sounds now, or is laid out to sound. */
export interface Sounding {
  readonly songId: string;
  readonly turn: number;
  /** Where the queue had the song when this was started: ms of the server's clock. */
  readonly startsAt: number;
  /** Song second that is heard now. */
  readonly position: number;
}

export type Step =
  | { readonly kind: "keep" }
  | { readonly kind: "silence" }
  /** @param at song second, below 0 that many seconds before its beginning */
  | { readonly kind: "start"; readonly song: PlayerSong; readonly at: number };

export interface Situation {
  readonly queue: PlayerQueue;
  readonly isHeard: boolean;
  /** The server's clock, ms. */
  readonly serverMs: number;
  readonly sounding: Sounding | undefined;
  /** The turn whose beginning this player saw, so that it owes the song from its first second. */
  readonly seenBeginOf: number | undefined;
}

/** What a player does about what the queue says. */
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
