import { clamp, percentile } from "../basics/maths.ts";
import { HOP_RATE } from "../hear/rates.ts";

const STEP_SECONDS = 0.5;
const MINUTES_KEPT = 3;
/** Length of a passage in steps: 4 s. */
const PASSAGE_STEPS = 8;
/** Smallest range between quiet and loud in the last minutes, dB, so that a steady song is not exaggerated. */
const LEAST_RANGE_DB = 9;
const FULL_SURGE_DB = 9;

/** Measures how loud a passage is relative to the last minutes, and whether it has just become louder. */
export class Energy {
  readonly #steps: number[] = [];
  #power = 0;
  #hops = 0;
  energy = 0.5;
  surge = 0;

  /** Processes one hop that is not silent. @param db level relative to full scale */
  push(db: number): void {
    this.#power += 10 ** (db / 10);
    if (++this.#hops < STEP_SECONDS * HOP_RATE) return;
    this.#steps.push(10 * Math.log10(this.#power / this.#hops));
    if (this.#steps.length > (MINUTES_KEPT * 60) / STEP_SECONDS) this.#steps.shift();
    this.#power = 0;
    this.#hops = 0;
    this.#weigh();
  }

  #weigh(): void {
    const now = meanOf(this.#steps.slice(-PASSAGE_STEPS));
    const loud = percentile(this.#steps, 0.95);
    const range = Math.max(LEAST_RANGE_DB, loud - percentile(this.#steps, 0.1));
    this.energy = clamp(1 - (loud - now) / range);
    const before = this.#steps.slice(-1 - PASSAGE_STEPS, -1);
    const rise = before.length < PASSAGE_STEPS ? 0 : this.#steps.at(-1)! - meanOf(before);
    this.surge = clamp(rise / FULL_SURGE_DB, -1, 1);
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
