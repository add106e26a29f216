/** The fastest way of the last seconds counts: what came later waited somewhere. */
const WINDOW_MS = 3000;

/** When a sample was heard, by the machine's clock: samples are even, and their arrival is not. */
export class SoundClock {
  /** Arrival minus sound time, least of this window and of the one before. */
  #least = Number.POSITIVE_INFINITY;
  #before = Number.POSITIVE_INFINITY;
  #windowMs = Number.NEGATIVE_INFINITY;

  /** Sound up to `seconds` has come in. @param ms now, less what is known to have passed since it was heard */
  arrived(seconds: number, ms: number): void {
    const late = ms - seconds * 1000;
    if (ms - this.#windowMs > WINDOW_MS) {
      this.#before = this.#windowMs === Number.NEGATIVE_INFINITY ? late : this.#least;
      this.#least = late;
      this.#windowMs = ms;
    }
    this.#least = Math.min(this.#least, late);
  }

  /** The moment of the machine's clock at which a second of sound was heard. */
  msOf(seconds: number): number {
    return seconds * 1000 + Math.min(this.#least, this.#before);
  }
}
