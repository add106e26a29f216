import type { Seconds } from "@followspot/contract";

/** The media element may disagree this much before the clock follows it; below, its steps would be seen as jitter. */
export const RESYNC_SECONDS = 0.03;
/** After a seek the element still reports the old place for a moment. */
export const SEEK_LOCK_MS = 100;
/** Of so many reports the median is what the element really means: by half of it the clock follows, too little to be seen. */
const REPORTS = 15;
const MEANT_SECONDS = 0.003;

/**
 * Song time between two reports of the media element: `t = lastMedia + (now − lastNow) × rate`.
 * `now` is always an argument, in milliseconds of one monotonic clock.
 */
export class PlaybackClock {
  #lastMedia: Seconds = 0;
  #lastNow = 0;
  #rate = 1;
  #isRunning = false;
  #lockedUntil = Number.NEGATIVE_INFINITY;
  /** Element minus clock, of the last reports. */
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

  /** The element says it is at `mediaTime`. Ignored right after a seek; differences that cannot be seen go slowly. */
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

  /** Hard set; reports are ignored for {@link SEEK_LOCK_MS}. */
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
