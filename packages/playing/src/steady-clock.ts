/** Answers that are kept: of so many the one that came back soonest says most. */
const KEPT = 12;
/** No line is so slow. */
const OTHER_SERVER_MS = 5000;

/**
 * The server's steady clock on this machine, from questions and answers: half of the way there and back is what an answer is
 * old by, and the shorter that way the less can be wrong (RFC 5905 section 10 keeps eight). All times are ms.
 */
export class SteadyClock {
  #answers: { readonly ahead: number; readonly trip: number }[] = [];

  /** @param sentMs when it was asked @param serverMs what was answered @param nowMs both ends by `performance.now()` */
  answered(sentMs: number, serverMs: number, nowMs: number): void {
    const trip = nowMs - sentMs;
    this.#answers.push({ ahead: serverMs - (sentMs + trip / 2), trip });
    if (this.#answers.length > KEPT) this.#answers.shift();
  }

  /**
   * What the server said by itself: late by the way it took. Counts until there is an answer; so far from what is known it is
   * the clock of a server that was started again.
   */
  said(serverMs: number, nowMs: number): void {
    const ahead = serverMs - nowMs;
    if (Math.abs(ahead - (this.aheadMs ?? Number.NaN)) > OTHER_SERVER_MS) this.#answers = [];
    if (this.#answers.length === 0) this.#answers.push({ ahead, trip: OTHER_SERVER_MS });
  }

  /** undefined before the server has said anything */
  get aheadMs(): number | undefined {
    return this.#answers.reduce<{ ahead: number; trip: number } | undefined>(
      (best, each) => (best && best.trip <= each.trip ? best : each),
      undefined,
    )?.ahead;
  }
}
