import type { BeatBelief } from "./beat-filter.ts";

/** Part of an error taken out at each correction, so that light does not shake. */
const CORRECTION = 0.3;
/** An error of more than this part of a beat is another beat: half of it is taken out at once. */
const LOST = 0.15;
const LOST_CORRECTION = 0.5;
/** Part of the way the shown confidence goes at each correction. */
const EASE = 0.15;

/**
 * Counts the beats that are shown: runs on at the tempo believed last and is drawn towards what is believed now. It only
 * grows, whatever the filter thinks better of.
 */
export class BeatFollower {
  #beat = 0;
  #atHop = 0;
  #perHop = 0;
  #confidence = 0;

  /** @param hop the moment of the belief, in hops, which may be some time ago */
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

  /** Beats a hop. */
  get perHop(): number {
    return this.#perHop;
  }

  /** 0..1 */
  get confidence(): number {
    return this.#confidence;
  }

  /** Beats counted at a moment in hops. */
  at(hop: number): number {
    return this.#beat + (hop - this.#atHop) * this.#perHop;
  }
}
