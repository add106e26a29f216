import { HIGH_HZ, LOW_HZ } from "../hear/onsets.ts";
import { INPUT_BANDS, INPUT_HZ } from "../network/input.ts";

const LAG = 2;
const LOW_END = INPUT_HZ.findIndex((hz) => hz >= LOW_HZ);
const MID_END = INPUT_HZ.findIndex((hz) => hz >= HIGH_HZ);

/**
 * Measures the onset strength of low and middle bands, hop by hop: their mean rise, as in `onsetStrength`, over the
 * last hops.
 */
export class Strikes {
  readonly low: Float32Array;
  readonly mid: Float32Array;
  readonly #rows = Array.from({ length: LAG }, () => new Float32Array(INPUT_BANDS));

  /** @param hops number of hops kept */
  constructor(hops: number) {
    this.low = new Float32Array(hops);
    this.mid = new Float32Array(hops);
  }

  /** @param row network input of the next hop */
  push(row: Float32Array): void {
    const then = this.#rows.shift()!;
    this.low.copyWithin(0, 1);
    this.mid.copyWithin(0, 1);
    this.low[this.low.length - 1] = rise(row, then, 0, LOW_END);
    this.mid[this.mid.length - 1] = rise(row, then, LOW_END, MID_END);
    then.set(row);
    this.#rows.push(then);
  }
}

/** Returns the mean rise of the bands [from, to) over the largest of three adjacent bands before, 0 and up. */
function rise(now: Float32Array, then: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let b = from; b < to; b++) sum += Math.max(0, now[b]! - Math.max(then[b - 1] ?? 0, then[b]!, then[b + 1] ?? 0));
  return sum / (to - from);
}
