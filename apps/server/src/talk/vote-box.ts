import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "../platform/caller.ts";

/** A talk's votes are counted, and its points told, at most this often. */
const BETWEEN_MS = 50;

/** What one person wants: their vote given or taken back. */
export interface Vote {
  readonly caller: Caller;
  readonly isGiven: boolean;
}

/** Counts votes for one talk. @returns its points, and whose vote could not be counted because they were deleted */
export type CountVotes = (
  talkId: string,
  votes: readonly Vote[],
) => Promise<{ readonly points: number; readonly strangers: ReadonlySet<string> }>;

interface Cast extends Vote {
  readonly settle: PromiseWithResolvers<number>;
}

/**
 * Votes that come for a talk while others are being counted wait and are counted together: ten thousand at once are a
 * few transactions, and a few envelopes, instead of a queue of ten thousand before one row.
 */
export class VoteBox {
  readonly #count: CountVotes;
  readonly #refuseStranger: () => Error;
  /** By talk, while its votes are counted and for a moment after. */
  readonly #waiting = new Map<string, Cast[]>();

  constructor(count: CountVotes, refuseStranger: () => Error) {
    this.#count = count;
    this.#refuseStranger = refuseStranger;
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
      const { points, strangers } = await this.#count(talkId, casts);
      for (const { caller, settle } of casts) {
        if (strangers.has(caller.userId)) settle.reject(this.#refuseStranger());
        else settle.resolve(points);
      }
    } catch (error) {
      for (const { settle } of casts) settle.reject(error);
    }
  }
}
