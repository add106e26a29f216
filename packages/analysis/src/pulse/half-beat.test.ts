import { expect, test } from "vitest";
import { FeatureExtractor } from "../hear/features.ts";
import type { Onsets } from "../hear/onsets.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { addChord, RATE, silence } from "../testing/test-sounds.ts";
import { bassAnswered, settlePhase } from "./half-beat.ts";
import type { PulseCurves } from "./tempo-octave.ts";

const SECONDS = 32;
/** 120 BPM from 0.5 s on. */
const BEATS = Array.from({ length: 60 }, (_, i) => 0.5 + i / 2);
const OFFBEATS = BEATS.map((t) => t + 0.25);

/** Returns the features of chords that change with every bar of four beats. */
function features() {
  const y = silence(SECONDS);
  const roots = [0, 5, 7, -3];
  for (const [i, t] of BEATS.entries())
    if (i % 4 === 0) addChord(y, t, 2.1, [roots[(i / 4) % 4]!, roots[(i / 4) % 4]! + 4, roots[(i / 4) % 4]! + 7], 0.1);
  const extractor = new FeatureExtractor(RATE);
  extractor.push(y, y);
  return extractor.finish();
}

/**
 * Returns network output with activations `onBeat` and `offBeat`, and no bars, as if off-beats were taken for beats.
 */
function curves(hops: number, onBeat: number, offBeat: number): PulseCurves {
  const flat = (value: number) => new Float32Array(hops).fill(value);
  const beat = flat(0.02);
  for (const t of BEATS) beat[Math.round(t * HOP_RATE)] = onBeat;
  for (const t of OFFBEATS) beat[Math.round(t * HOP_RATE)] = offBeat;
  return { beat, downbeat: flat(0.1), kick: flat(0), snare: flat(0), drums: 1 };
}

/** Returns onsets of bass and chords at these times, seconds. */
function onsets(hops: number, bass: readonly number[] = [], chords: readonly number[] = []): Onsets {
  const struck = (times: readonly number[]) => {
    const curve = new Float32Array(hops);
    for (const t of times) curve[Math.round(t * HOP_RATE)] = 1;
    return curve;
  };
  return { all: struck([]), low: struck(bass), mid: struck(chords), high: struck([]) };
}

const inHops = (seconds: readonly number[]) => seconds.map((t) => t * HOP_RATE);

test("puts beats where chords change, although the off-beats between them are louder", () => {
  const song = features();
  const settled = settlePhase(inHops(OFFBEATS), curves(song.hops, 0.5, 0.6), song, onsets(song.hops));
  expect(settled.slice(0, -1)).toEqual(inHops(BEATS).slice(1));
});

test("keeps beats where they were detected, although chords come half a beat early", () => {
  const song = features();
  const heard = curves(song.hops, 0.02, 0.9);
  expect(settlePhase(inHops(OFFBEATS), heard, song, onsets(song.hops))).toEqual(inHops(OFFBEATS));
});

// kept: Songs and jobs | The beat was on the chords after the bass for a whole march | failed with the fault put back
test("puts beats on the bass that chords answer, although the network detects the chords as beats", () => {
  const quiet = new FeatureExtractor(RATE);
  quiet.push(silence(SECONDS), silence(SECONDS));
  const song = quiet.finish();
  const heard = curves(song.hops, 0.3, 0.6);
  const oomPah = onsets(song.hops, BEATS, OFFBEATS);
  expect(settlePhase(inHops(OFFBEATS), heard, song, oomPah).slice(0, -1)).toEqual(inHops(BEATS).slice(1));
  // Bass on both is no evidence: the beats stay where they were detected.
  const funk = onsets(song.hops, [...BEATS, ...OFFBEATS], OFFBEATS);
  expect(settlePhase(inHops(OFFBEATS), heard, song, funk)).toEqual(inHops(OFFBEATS));
});

test("measures bass answered by chords by how much more of it is on one side", () => {
  expect(bassAnswered([1, 0, 1, 0], [0, 1, 0, 1])).toBe(2);
  expect(bassAnswered([0, 1, 0, 1], [1, 1, 1, 1])).toBe(-1);
  expect(bassAnswered([1, 0, 1, 0], [1, 0, 1, 0])).toBe(0);
  expect(bassAnswered([2, 1, 2, 1], [0, 1, 0, 1])).toBe(0);
  expect(bassAnswered([], [])).toBe(0);
});
