import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "../../platform/caller.ts";

/** Minimum interval between two counts (and envelopes) of one talk, ms. */
const BETWEEN_MS = 50;

/** One user's vote, given or withdrawn. */
export interface Vote {
  readonly caller: Caller;
  readonly isGiven: boolean;
}

/** Counts votes for one talk. @returns its points, and by user ID why a vote does not count */
export type CountVotes = (
  talkId: string,
  votes: readonly Vote[],
) => Promise<{ readonly points: number; readonly refusals: ReadonlyMap<string, Error> }>;

interface Cast extends Vote {
  readonly settle: PromiseWithResolvers<number>;
}

/**
 * Batches votes: votes that arrive for a talk during a count wait and are counted together. Ten thousand simultaneous
 * votes take a few transactions and envelopes, instead of a queue of ten thousand for one row lock.
 */
export class VoteBox {
  readonly #count: CountVotes;
  /** Waiting votes by talk. A talk has an entry during a count and for a moment after it. */
  readonly #waiting = new Map<string, Cast[]>();

  constructor(count: CountVotes) {
    this.#count = count;
  }

  /** @returns the points of the talk once this vote is counted */
  cast(talkId: string, vote: Vote): Promise<number> {
    const settle = Promise.withResolvers<number>();
    const waiting = this.#waiting.get(talkId);
    if (waiting) waiting.push({ ...vote, settle });
    else {
      this.#waiting.set(talkId, [{ ...vote, settle }]);
      void this.#empty(talkId);
    }
    return settle.promise;
  }

  /** Never rejects: each vote receives its own error. */
  async #empty(talkId: string): Promise<void> {
    for (let casts = this.#take(talkId); casts.length > 0; casts = this.#take(talkId)) {
      await Promise.all([this.#countTogether(talkId, casts), pause(BETWEEN_MS)]);
    }
    this.#waiting.delete(talkId);
  }

  #take(talkId: string): readonly Cast[] {
    const casts = this.#waiting.get(talkId) ?? [];
    this.#waiting.set(talkId, []);
    return casts;
  }

  async #countTogether(talkId: string, casts: readonly Cast[]): Promise<void> {
    try {
      const { points, refusals } = await this.#count(talkId, casts);
      for (const { caller, settle } of casts) {
        const refusal = refusals.get(caller.userId);
        if (refusal) settle.reject(refusal);
        else settle.resolve(points);
      }
    } catch (error) {
      for (const { settle } of casts) settle.reject(error);
    }
  }
}
