/** Minimum interval between two typing notifications of a user in one thread, ms. */
const BETWEEN_MS = 2000;
/** Maximum number of remembered pairs; expired ones are evicted first. */
const MOST = 10_000;

/** Throttles typing notifications, so that a client that sends every keystroke costs others nothing. */
export class TypingPace {
  readonly #toldAt = new Map<string, number>();

  isDue(threadId: string, userId: string, now = performance.now()): boolean {
    const key = `${threadId} ${userId}`;
    const told = this.#toldAt.get(key);
    if (told !== undefined && now - told < BETWEEN_MS) return false;
    if (this.#toldAt.size >= MOST) this.#forget(now);
    // Keeps the map ordered by time.
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
