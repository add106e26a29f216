/** Ours and what it is compared with, each given a song as if it came in just now. */
import MusicTempo from "music-tempo";
import { LiveEar } from "../../packages/analysis/src/index.ts";
import { BLOCK_SECONDS, Crossings, followLive, type Tracked } from "./follow-live.ts";

export const LIVE_TRACKERS: Record<string, (y: Float32Array, sampleRate: number) => Tracked> = {
  followspot: followLive,
  "energy peaks": followPeaks,
  "music-tempo, last 8 s": followAgents,
};

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
