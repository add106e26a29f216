/** Answers that are kept: of so many the one that came back soonest says most. */
const KEPT = 12;
/** No connection is so slow. */
const OTHER_SERVER_MS = 5000;

/**
 * The server's steady clock on this machine, from questions and answers: half of the way there and back is what an answer is
 * old by, and the shorter that way the less can be wrong (RFC 5905 section 10 keeps eight). All times are ms.
 */
export class SteadyClock {
  #answers: { readonly ahead: number; readonly trip: number }[] = [];

  /**
   * An answer of another server than before, or of one that was started again, counts from when that has said what plays: what
   * is known of the queue until then goes by the old clock.
   * @param sentMs when it was asked @param serverMs what was answered @param nowMs both ends by `performance.now()`
   */
  answered(sentMs: number, serverMs: number, nowMs: number): void {
    const trip = nowMs - sentMs;
    const ahead = serverMs - (sentMs + trip / 2);
    if (this.#isOther(ahead)) return;
    this.#answers.push({ ahead, trip });
    if (this.#answers.length > KEPT) this.#answers.shift();
  }

  /**
   * What the server said by itself, with what plays: late by the way it took. Counts until there is an answer; so far from what
   * is known it is the clock of another server, or of one that was started again.
   */
  said(serverMs: number, nowMs: number): void {
    const ahead = serverMs - nowMs;
    if (this.#isOther(ahead)) this.#answers = [];
    if (this.#answers.length === 0) this.#answers.push({ ahead, trip: OTHER_SERVER_MS });
  }

  /** undefined before the server has said anything */
  get aheadMs(): number | undefined {
    return this.#answers.reduce<{ ahead: number; trip: number } | undefined>(
      (best, each) => (best && best.trip <= each.trip ? best : each),
      undefined,
    )?.ahead;
  }

  #isOther(ahead: number): boolean {
    return Math.abs(ahead - (this.aheadMs ?? Number.NaN)) > OTHER_SERVER_MS;
  }
}
