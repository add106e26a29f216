import { expect, test } from "vitest";
import { FeatureExtractor } from "../hear/features.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { addChord, RATE, silence } from "../testing/test-sounds.ts";
import { settlePhase } from "./half-beat.ts";
import type { PulseCurves } from "./tempo-octave.ts";

const SECONDS = 32;
/** 120 BPM from 0.5 s on. */
const BEATS = Array.from({ length: 60 }, (_, i) => 0.5 + i / 2);
const OFFBEATS = BEATS.map((t) => t + 0.25);

/** Chords that change with every bar of four beats. */
function features() {
  const y = silence(SECONDS);
  const roots = [0, 5, 7, -3];
  for (const [i, t] of BEATS.entries())
    if (i % 4 === 0) addChord(y, t, 2.1, [roots[(i / 4) % 4]!, roots[(i / 4) % 4]! + 4, roots[(i / 4) % 4]! + 7], 0.1);
  const extractor = new FeatureExtractor(RATE);
  extractor.push(y, y);
  return extractor.finish();
}

/** What a network hears that takes off-beats for beats, by `onBeat` and `offBeat`, and no bars. */
function curves(hops: number, onBeat: number, offBeat: number): PulseCurves {
  const flat = (value: number) => new Float32Array(hops).fill(value);
  const beat = flat(0.02);
  for (const t of BEATS) beat[Math.round(t * HOP_RATE)] = onBeat;
  for (const t of OFFBEATS) beat[Math.round(t * HOP_RATE)] = offBeat;
  return { beat, downbeat: flat(0.1), kick: flat(0), snare: flat(0), drums: 1 };
}

const inHops = (seconds: readonly number[]) => seconds.map((t) => t * HOP_RATE);

test("beats are where chords change, though the off-beats between them sound louder", () => {
  const song = features();
  const settled = settlePhase(inHops(OFFBEATS), curves(song.hops, 0.5, 0.6), song);
  expect(settled.slice(0, -1)).toEqual(inHops(BEATS).slice(1));
});

test("beats stay where they were heard, though chords come half a beat early", () => {
  const song = features();
  const heard = curves(song.hops, 0.02, 0.9);
  expect(settlePhase(inHops(OFFBEATS), heard, song)).toEqual(inHops(OFFBEATS));
});
