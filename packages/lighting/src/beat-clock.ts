import { lastAtOrBefore } from "@followspot/contract";

/** Used where a song has no beat grid: two beats a second. */
const FALLBACK_BEAT_SECONDS = 0.5;

/** Converts between song seconds and fractional beat index; before and after the grid it goes on evenly. */
export class BeatClock {
  readonly #beats: Float64Array;
  #cursor = 0;

  constructor(beats: readonly number[]) {
    this.#beats = Float64Array.from(beats.length >= 2 ? beats : [0, FALLBACK_BEAT_SECONDS]);
  }

  /** Fractional beat index at t: 0 is the first beat. Allocation free. */
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

  /** Seconds of the shortest beat any part of which lies between two times. */
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

  /** Seconds of a fractional beat index. */
  timeAt(beat: number): number {
    const beats = this.#beats;
    const last = beats.length - 1;
    if (beat <= 0) return beats[0]! + beat * (beats[1]! - beats[0]!);
    if (beat >= last) return beats[last]! + (beat - last) * (beats[last]! - beats[last - 1]!);
    const i = Math.floor(beat);
    return beats[i]! + (beat - i) * (beats[i + 1]! - beats[i]!);
  }
}
