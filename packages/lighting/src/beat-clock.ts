import { lastAtOrBefore } from "@followspot/contract";

/** Beat length for songs without a beat grid, seconds. */
const FALLBACK_BEAT_SECONDS = 0.5;

/** Converts between song seconds and fractional beat index. Extrapolates evenly before and after the grid. */
export class BeatClock {
  readonly #beats: Float64Array;
  #cursor = 0;

  constructor(beats: readonly number[]) {
    this.#beats = Float64Array.from(beats.length >= 2 ? beats : [0, FALLBACK_BEAT_SECONDS]);
  }

  /** Returns the fractional beat index at t seconds; 0 is the first beat. Allocation free. */
  beatAt(t: number): number {
    const beats = this.#beats;
    const last = beats.length - 1;
    if (t <= beats[0]!) return (t - beats[0]!) / (beats[1]! - beats[0]!);
    if (t >= beats[last]!) return last + (t - beats[last]!) / (beats[last]! - beats[last - 1]!);
    let i = this.#cursor;
    if (t < beats[i]! || t >= beats[i + 1]!) {
      i = t >= beats[i + 1]! && i + 2 <= last && t < beats[i + 2]! ? i + 1 : lastAtOrBefore(beats, t);
      this.#cursor = i;
    }
    return i + (t - beats[i]!) / (beats[i + 1]! - beats[i]!);
  }

  /** Returns the length of the shortest beat that overlaps the range, seconds. */
  shortestBeat(from: number, to: number): number {
    const beats = this.#beats;
    const last = beats.length - 1;
    let shortest = Number.POSITIVE_INFINITY;
    for (let i = Math.min(last - 1, Math.max(0, lastAtOrBefore(beats, from))); i < last; i++) {
      shortest = Math.min(shortest, beats[i + 1]! - beats[i]!);
      if (beats[i + 1]! >= to) break;
    }
    return shortest;
  }

  /** Returns the time of a fractional beat index, seconds. */
  timeAt(beat: number): number {
    const beats = this.#beats;
    const last = beats.length - 1;
    if (beat <= 0) return beats[0]! + beat * (beats[1]! - beats[0]!);
    if (beat >= last) return beats[last]! + (beat - last) * (beats[last]! - beats[last - 1]!);
    const i = Math.floor(beat);
    return beats[i]! + (beat - i) * (beats[i + 1]! - beats[i]!);
  }
}
