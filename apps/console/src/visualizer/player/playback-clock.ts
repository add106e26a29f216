import type { Seconds } from "@followspot/contract";

/**
 * Deviation from the media element at which the clock jumps to it. Below, its reports are too coarse and would cause
 * visible jitter.
 */
export const RESYNC_SECONDS = 0.03;
/** Time after a seek during which the element may still report the old position, ms. */
export const SEEK_LOCK_MS = 100;
/** Number of reports whose median deviation is corrected by half, gradually and invisibly. */
const REPORTS = 15;
const MEANT_SECONDS = 0.003;

/**
 * Interpolates song time between two reports of the media element: `t = lastMedia + (now − lastNow) × rate`. `now` is
 * always an argument, in milliseconds of one monotonic clock.
 */
export class PlaybackClock {
  #lastMedia: Seconds = 0;
  #lastNow = 0;
  #rate = 1;
  #isRunning = false;
  #lockedUntil = Number.NEGATIVE_INFINITY;
  /** Deviations of the element from the clock in the latest reports, seconds. */
  #errors: number[] = [];

  get isRunning(): boolean {
    return this.#isRunning;
  }

  get rate(): number {
    return this.#rate;
  }

  timeAt(now: number): Seconds {
    if (!this.#isRunning) return this.#lastMedia;
    return this.#lastMedia + (Math.max(0, now - this.#lastNow) / 1000) * this.#rate;
  }

  /**
   * Processes a report of the media element. Reports right after a seek are ignored; small deviations are corrected
   * slowly.
   */
  observe(mediaTime: Seconds, now: number): void {
    if (now < this.#lockedUntil || !Number.isFinite(mediaTime)) return;
    const error = mediaTime - this.timeAt(now);
    if (Math.abs(error) > RESYNC_SECONDS) return this.#set(mediaTime, now);
    this.#errors.push(error);
    if (this.#errors.length < REPORTS) return;
    const meant = this.#errors.sort((a, b) => a - b)[REPORTS >> 1]!;
    this.#errors = [];
    if (Math.abs(meant) > MEANT_SECONDS) this.#set(this.timeAt(now) + meant / 2, now);
  }

  /** Sets the position. Reports are ignored for {@link SEEK_LOCK_MS}. */
  seek(time: Seconds, now: number): void {
    this.#set(time, now);
    this.#lockedUntil = now + SEEK_LOCK_MS;
  }

  run(now: number): void {
    this.#set(this.timeAt(now), now);
    this.#isRunning = true;
  }

  hold(now: number): void {
    this.#set(this.timeAt(now), now);
    this.#isRunning = false;
  }

  setRate(rate: number, now: number): void {
    this.#set(this.timeAt(now), now);
    this.#rate = rate;
  }

  #set(time: Seconds, now: number): void {
    this.#lastMedia = time;
    this.#lastNow = now;
    this.#errors = [];
  }
}
