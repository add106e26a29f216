import { TAP_BPM } from "@followspot/contract";

/** Pause after which a new tempo begins, ms. */
const FORGET_MS = 2500;
const MOST_TAPS = 8;

/**
 * Computes a tempo in BPM from presses on the beat: the median of the last intervals, so that one bad press does not
 * matter.
 */
export class TapTempo {
  #taps: number[] = [];

  /** Records a tap. @param ms time of a monotonic clock @returns tempo, BPM; undefined until there are two taps */
  tap(ms: number): number | undefined {
    const last = this.#taps.at(-1);
    if (last !== undefined && ms - last > FORGET_MS) this.#taps = [];
    this.#taps = [...this.#taps, ms].slice(-MOST_TAPS);
    const gaps = this.#taps.slice(1).map((tap, i) => tap - this.#taps[i]!);
    if (gaps.length === 0) return undefined;
    const sorted = gaps.toSorted((a, b) => a - b);
    const middle = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
    const bpm = Math.round(600_000 / middle) / 10;
    return Math.min(TAP_BPM.most, Math.max(TAP_BPM.least, bpm));
  }
}
