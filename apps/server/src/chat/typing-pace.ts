/** How often one person's typing is told in one thread. */
const BETWEEN_MS = 2000;
/** Pairs remembered at most; those that are due again are forgotten first. */
const MOST = 10_000;

/** Lets through what is new: a client that tells every key costs the others nothing. */
export class TypingPace {
  readonly #toldAt = new Map<string, number>();

  isDue(threadId: string, userId: string, now = performance.now()): boolean {
    const key = `${threadId} ${userId}`;
    const told = this.#toldAt.get(key);
    if (told !== undefined && now - told < BETWEEN_MS) return false;
    if (this.#toldAt.size >= MOST) this.#forget(now);
    // Last in the map is the latest told.
    this.#toldAt.delete(key);
    this.#toldAt.set(key, now);
    return true;
  }

  #forget(now: number): void {
    for (const [key, told] of this.#toldAt) {
      if (now - told < BETWEEN_MS && this.#toldAt.size < MOST) return;
      this.#toldAt.delete(key);
    }
  }
}
