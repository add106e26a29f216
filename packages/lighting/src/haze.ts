import type { HazeCue, HazeInShows } from "@followspot/contract";

/**
 * Indexes of {@link CompiledShow.haze}: the desk's request to every machine, and the show's requests to machines that
 * it may use; 0..1.
 */
export const HAZE_AT = { desk: 0, puff: 1, steady: 2 } as const;
/** Haze output for low haze, 0..1. */
const LOW = 0.25;
/** Time without haze at the start of a show, seconds: the audience has to see who is on stage. */
export const HAZE_FREE_SECONDS = 5;
/** Most seconds of puffs per minute and machine. */
export const PUFF_SECONDS_PER_MINUTE = 20;

/** What in a show a machine follows. */
export const USE = { none: 0, puffs: 1, steady: 2 } as const;
export const useOf = (allowed: HazeInShows | undefined): number => (allowed === undefined ? USE.none : USE[allowed]);

/** Sets the plan's haze requests for a moment. Allocation free. */
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

/** Clears the show's haze requests. */
export function restHaze({ haze }: { readonly haze: Float32Array }): void {
  haze.fill(0, HAZE_AT.puff);
}

/** Returns the output of a machine, 0..1. @param use one of {@link USE} */
export function hazeOf(haze: Float32Array, use: number): number {
  const puff = use >= USE.puffs ? haze[HAZE_AT.puff]! : 0;
  return Math.max(haze[HAZE_AT.desk]!, puff, use === USE.steady ? haze[HAZE_AT.steady]! : 0);
}

/**
 * Limits puffs to {@link PUFF_SECONDS_PER_MINUTE}, whatever a plan, a seek or a repetition requests. The budget holds
 * at most half a minute's worth and refills over time, so no minute exceeds the limit.
 */
export class PuffBudget {
  readonly #tick: number;
  #left = PUFF_SECONDS_PER_MINUTE / 2;
  /** Whether the budget is used up. It must refill to half before the next puff, so that puffs do not stutter. */
  #isSpent = false;

  /** @param tickHz ticks per second */
  constructor(tickHz: number) {
    this.#tick = 1 / tickHz;
  }

  copyFrom(other: PuffBudget): void {
    this.#left = other.#left;
    this.#isSpent = other.#isSpent;
  }

  /** Deducts a tick of puffing from the budget, or suppresses the puff. */
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
