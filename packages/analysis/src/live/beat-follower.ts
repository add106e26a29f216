import type { BeatBelief } from "./beat-filter.ts";

/** Share of an error that is corrected at each step, so that light does not jitter. */
const CORRECTION = 0.3;
/** Errors above this part of a beat mean another beat: half of such an error is corrected at once. */
const LOST = 0.15;
const LOST_CORRECTION = 0.5;
/** Smoothing of the shown confidence: share of the difference per correction. */
const EASE = 0.15;

/**
 * Counts the beats that are shown. It advances at the last tempo estimate and is corrected toward the current one. The
 * count only grows, even if the filter revises its estimate.
 */
export class BeatFollower {
  #beat = 0;
  #atHop = 0;
  #perHop = 0;
  #confidence = 0;

  /** @param hop time of the belief, hops; may be some time ago */
  correct({ period, phase, share }: BeatBelief, hop: number): void {
    const shown = this.at(hop);
    let error = phase - shown;
    error -= Math.round(error);
    const isFirst = this.#perHop === 0;
    const part = isFirst ? 1 : Math.abs(error) > LOST ? LOST_CORRECTION : CORRECTION;
    this.#beat = Math.max(0, shown + error * part);
    this.#atHop = hop;
    this.#perHop = 1 / period;
    this.#confidence += (share - this.#confidence) * (isFirst ? 0 : EASE);
  }

  get isFollowing(): boolean {
    return this.#perHop > 0;
  }

  /** Beats per hop. */
  get perHop(): number {
    return this.#perHop;
  }

  /** 0..1 */
  get confidence(): number {
    return this.#confidence;
  }

  /** Returns the beat count at a time in hops. */
  at(hop: number): number {
    return this.#beat + (hop - this.#atHop) * this.#perHop;
  }
}
