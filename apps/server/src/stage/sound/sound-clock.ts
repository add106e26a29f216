/** Window for the minimum delay, ms: samples with a longer delay waited somewhere. */
const WINDOW_MS = 3000;

/** Maps sound time to the machine's clock: samples are evenly spaced, but their arrival is not. */
export class SoundClock {
  /** Arrival minus sound time, minimum of this window and of the one before, ms. */
  #least = Number.POSITIVE_INFINITY;
  #before = Number.POSITIVE_INFINITY;
  #windowMs = Number.NEGATIVE_INFINITY;

  /** Records that sound up to `seconds` has arrived. @param ms current time minus the known latency */
  arrived(seconds: number, ms: number): void {
    const late = ms - seconds * 1000;
    if (ms - this.#windowMs > WINDOW_MS) {
      this.#before = this.#windowMs === Number.NEGATIVE_INFINITY ? late : this.#least;
      this.#least = late;
      this.#windowMs = ms;
    }
    this.#least = Math.min(this.#least, late);
  }

  /** Returns the time on the machine's clock at which a second of sound was captured, ms. */
  msOf(seconds: number): number {
    return seconds * 1000 + Math.min(this.#least, this.#before);
  }
}
