import { LiveEar } from "../../packages/analysis/src/index.ts";

/** A browser sends about so much at a time. */
export const BLOCK_SECONDS = 0.01;

export interface Tracked {
  readonly beats: readonly number[];
  readonly bpm: number;
  /** Seconds of one core per second of sound. */
  readonly load?: number;
}

/** The ear given a song as if it came in just now. */
export function followLive(y: Float32Array, sampleRate: number): Tracked {
  const ear = new LiveEar(sampleRate);
  const block = Math.round(BLOCK_SECONDS * sampleRate);
  const crossings = new Crossings();
  const start = process.cpuUsage();
  const tempi: number[] = [];
  for (let at = 0; at + block <= y.length; at += block) {
    const { seconds, pulse } = ear.push(y.subarray(at, at + block));
    if (!pulse) continue;
    crossings.push(seconds, pulse.beat, pulse.bpm / 60);
    tempi.push(pulse.bpm);
  }
  const { user, system } = process.cpuUsage(start);
  const bpm = tempi.toSorted((a, b) => a - b)[tempi.length >> 1] ?? 0;
  return { beats: crossings.beats, bpm, load: (user + system) / 1e6 / (y.length / sampleRate) };
}

/** When a count of beats that is asked again and again passes whole numbers. */
export class Crossings {
  readonly beats: number[] = [];
  #last = Number.NaN;

  push(seconds: number, beat: number, perSecond: number): void {
    const whole = Math.floor(beat);
    const time = seconds - (beat - whole) / perSecond;
    // A count that was put right a little must not pass the same beat twice.
    if (whole > this.#last && time - (this.beats.at(-1) ?? -1) > 0.2) this.beats.push(time);
    this.#last = whole;
  }
}
