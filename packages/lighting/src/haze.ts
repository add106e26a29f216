import type { HazeCue, HazeInShows } from "@followspot/contract";

/** Places of {@link CompiledShow.haze}: what the desk wants of every machine, and a show of those it may use; 0..1. */
export const HAZE_AT = { desk: 0, puff: 1, steady: 2 } as const;
/** How much of it low haze is. */
const LOW = 0.25;
/** No show makes haze in its first seconds: people are to see who is on the stage. */
export const HAZE_FREE_SECONDS = 5;
/** Puffs a machine may make in any minute, seconds. */
export const PUFF_SECONDS_PER_MINUTE = 20;

/** What of a machine's haze follows a show. */
export const USE = { none: 0, puffs: 1, steady: 2 } as const;
export const useOf = (allowed: HazeInShows | undefined): number => (allowed === undefined ? USE.none : USE[allowed]);

/** Sets what a plan wants of machines at a moment. Allocation free. */
export function setPlannedHaze(haze: Float32Array, cues: readonly HazeCue[], t: number): void {
  haze.fill(0, HAZE_AT.puff);
  if (t < HAZE_FREE_SECONDS) return;
  for (let i = 0; i < cues.length && cues[i]!.time <= t; i++) {
    const { time, duration, kind } = cues[i]!;
    if (t >= time + duration) continue;
    if (kind === "puff") haze[HAZE_AT.puff] = 1;
    else haze[HAZE_AT.steady] = LOW;
  }
}

/** No show wants haze now. */
export function restHaze({ haze }: { readonly haze: Float32Array }): void {
  haze.fill(0, HAZE_AT.puff);
}

/** How much haze a machine makes, 0..1. @param use one of {@link USE} */
export function hazeOf(haze: Float32Array, use: number): number {
  const puff = use >= USE.puffs ? haze[HAZE_AT.puff]! : 0;
  return Math.max(haze[HAZE_AT.desk]!, puff, use === USE.steady ? haze[HAZE_AT.steady]! : 0);
}

/**
 * Holds puffs to {@link PUFF_SECONDS_PER_MINUTE}, whatever plan, seek or repetition asks for: what is left is filled up as time goes
 * by, half of a minute's worth at the most, so that no minute has more than both halves.
 */
export class PuffBudget {
  readonly #tick: number;
  #left = PUFF_SECONDS_PER_MINUTE / 2;
  /** Spent, it takes a while before the next puff: none comes in drops. */
  #isSpent = false;

  /** @param tickHz ticks a second */
  constructor(tickHz: number) {
    this.#tick = 1 / tickHz;
  }

  copyFrom(other: PuffBudget): void {
    this.#left = other.#left;
    this.#isSpent = other.#isSpent;
  }

  /** Takes what a tick puffs off what is left, or lets it make none. */
  spend(haze: Float32Array): void {
    const most = PUFF_SECONDS_PER_MINUTE / 2;
    this.#left = Math.min(most, this.#left + (this.#tick * most) / 60);
    if (haze[HAZE_AT.puff] === 0) {
      if (this.#left >= most / 2) this.#isSpent = false;
      return;
    }
    if (this.#left < this.#tick) this.#isSpent = true;
    if (this.#isSpent) haze[HAZE_AT.puff] = 0;
    else this.#left -= this.#tick;
  }
}
