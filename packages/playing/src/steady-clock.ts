/** Number of stored answers. The one with the shortest round trip counts. */
const KEPT = 12;
/** Deviation of the clock that means another server, ms. No connection is this slow. */
const OTHER_SERVER_MS = 5000;

/**
 * Estimates the server's monotonic clock from requests and answers. An answer is assumed to be half a round trip old,
 * so the shortest round trip has the smallest error (RFC 5905 section 10 keeps eight). All times are ms.
 */
export class SteadyClock {
  #answers: { readonly ahead: number; readonly trip: number }[] = [];

  /**
   * Adds an answer. Answers of another or restarted server are ignored until that server has sent the queue, because
   * the known queue refers to the old clock.
   *
   * @param sentMs time of the request
   * @param serverMs time in the answer
   * @param nowMs time of arrival; both ends by `performance.now()`
   */
  answered(sentMs: number, serverMs: number, nowMs: number): void {
    const trip = nowMs - sentMs;
    const ahead = serverMs - (sentMs + trip / 2);
    if (this.#isOther(ahead)) return;
    this.#answers.push({ ahead, trip });
    if (this.#answers.length > KEPT) this.#answers.shift();
  }

  /**
   * Processes the time that the server sent with the queue; it is late by the transmission delay. It is used until
   * there is an answer. A large deviation means another or restarted server.
   */
  said(serverMs: number, nowMs: number): void {
    const ahead = serverMs - nowMs;
    if (this.#isOther(ahead)) this.#answers = [];
    if (this.#answers.length === 0) this.#answers.push({ ahead, trip: OTHER_SERVER_MS });
  }

  /** How far the server's clock is ahead, ms; undefined before the server has sent a time. */
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
