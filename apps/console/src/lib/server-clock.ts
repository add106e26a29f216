/**
 * Estimates the server's time on a machine whose clock may be wrong. A received time is late by the network latency,
 * never early, so the message with the lowest latency is the most accurate.
 */
export class ServerClock {
  #ahead: number | undefined;

  /**
   * Records a received time. @param serverMs time of the server, ms since 1970 @param heardMs `performance.now()` when
   * it arrived
   */
  hear(serverMs: number, heardMs: number = performance.now()): void {
    this.#ahead = Math.max(this.#ahead ?? Number.NEGATIVE_INFINITY, serverMs - heardMs);
  }

  /** Discards the estimate after a reconnect, perhaps to another server. */
  forget(): void {
    this.#ahead = undefined;
  }

  /** Returns the server's time, ms since 1970; the local time until the server has sent one. */
  now(atMs: number = performance.now()): number {
    return this.#ahead === undefined ? Date.now() : atMs + this.#ahead;
  }
}

/** Formats the remaining time like a clock, in whole seconds rounded up: 0:00 only once the time is over. */
export function countdownText(leftMs: number): string {
  const whole = Math.max(0, Math.ceil(leftMs / 1000));
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
