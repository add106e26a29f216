/** Ours and what it is compared with, each given a song as if it came in just now. */
import MusicTempo from "music-tempo";
import { LiveEar } from "../../packages/analysis/src/index.ts";

/** A browser sends about so much at a time. */
const BLOCK_SECONDS = 0.01;

export interface Tracked {
  readonly beats: readonly number[];
  readonly bpm: number;
  /** Seconds of one core per second of sound. */
  readonly load?: number;
}

export const LIVE_TRACKERS: Record<string, (y: Float32Array, sampleRate: number) => Tracked> = {
  followspot: followLive,
  "energy peaks": followPeaks,
  "music-tempo, last 8 s": followAgents,
};

function followLive(y: Float32Array, sampleRate: number): Tracked {
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

/** What light does without a tracker: a hit whenever the bass is loudest of the last second, at most four a second. */
function followPeaks(y: Float32Array, sampleRate: number): Tracked {
  const ear = new LiveEar(sampleRate);
  const block = Math.round(BLOCK_SECONDS * sampleRate);
  const beats: number[] = [];
  let lately = 0;
  for (let at = 0; at + block <= y.length; at += block) {
    const { seconds, onset } = ear.push(y.subarray(at, at + block));
    if (onset > 0.5 * lately && onset > 0 && seconds - (beats.at(-1) ?? -1) > 0.25) beats.push(seconds);
    lately = Math.max(onset, lately * 0.99);
  }
  return { beats, bpm: 0 };
}

/** A tracker of whole songs asked again every second about the last eight; between its answers it goes on evenly. */
function followAgents(y: Float32Array, sampleRate: number): Tracked {
  const crossings = new Crossings();
  let [beat, perSecond, shownAt] = [0, 0, 0];
  for (let now = 8; now * sampleRate < y.length; now++) {
    const heard = y.slice((now - 8) * sampleRate, now * sampleRate);
    try {
      const { beats, beatInterval } = new MusicTempo(heard, { expiryTime: Infinity });
      const last = now - 8 + (beats.at(-1) ?? 0);
      const interval = Number(beatInterval);
      if (beats.length > 1 && interval > 0) {
        const phase = (now - last) / interval;
        const before = perSecond > 0 ? beat + (now - shownAt) * perSecond : phase;
        beat = before + (phase - before - Math.round(phase - before));
        [perSecond, shownAt] = [1 / interval, now];
      }
    } catch {
      // It throws where it finds no beat; the last answer goes on.
    }
    for (let t = now; t < now + 1 && perSecond > 0; t += 0.01) {
      crossings.push(t, beat + (t - shownAt) * perSecond, perSecond);
    }
  }
  return { beats: crossings.beats, bpm: 60 * perSecond };
}

/** When a count of beats that is asked again and again passes whole numbers. */
class Crossings {
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
