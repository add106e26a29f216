/**
 * The server's time on a machine whose own clock may be wrong. What the server says is late by the way it took, never
 * early: the least late of all says most.
 */
export class ServerClock {
  #ahead: number | undefined;

  /** @param serverMs what the server said, ms since 1970 @param heardMs of `performance.now()` when it came */
  hear(serverMs: number, heardMs: number = performance.now()): void {
    this.#ahead = Math.max(this.#ahead ?? Number.NEGATIVE_INFINITY, serverMs - heardMs);
  }

  /** Another connection, perhaps to another server. */
  forget(): void {
    this.#ahead = undefined;
  }

  /** ms since 1970; by this machine's clock until the server has said anything. */
  now(atMs: number = performance.now()): number {
    return this.#ahead === undefined ? Date.now() : atMs + this.#ahead;
  }
}

/** Whole seconds that are left, as a clock shows them: 0 only once the time is over. */
export function countdownText(leftMs: number): string {
  const whole = Math.max(0, Math.ceil(leftMs / 1000));
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
