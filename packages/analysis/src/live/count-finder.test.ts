import { describe, expect, test } from "vitest";
import { HOP_RATE } from "../hear/rates.ts";
import { CountFinder, type LiveCurves, type PulseCurve } from "./count-finder.ts";

const ROUND = 8;
const SECONDS = 40;

/** Hits of each curve at multiples of a beat, from an offset on; both in beats. */
type Hits = Partial<Record<PulseCurve, readonly (readonly [every: number, from: number, strength: number])[]>>;

/** Returns what is shown after a while of a song at a given tempo, if the filter holds one belief throughout. */
function countOf(bpm: number, hits: Hits, believed: { readonly bpm: number; readonly lateBeats?: number }) {
  const hops = (60 * HOP_RATE) / bpm;
  const finder = new CountFinder();
  const period = (60 * HOP_RATE) / believed.bpm;
  const late = (believed.lateBeats ?? 0) * hops;
  let shown = { period, phase: 0, share: 1 };
  let end = 0;
  for (; end < SECONDS * HOP_RATE; end += ROUND) {
    const curve = (name: PulseCurve) =>
      Float32Array.from({ length: ROUND }, (_, h) =>
        Math.max(
          0.03,
          ...(hits[name] ?? []).map(([every, from, strength]) => {
            const beat = (end + h) / hops - from;
            return Math.abs(beat - every * Math.round(beat / every)) * hops <= 1 ? strength : 0;
          }),
        ),
      );
    const curves: LiveCurves = {
      beat: curve("beat"),
      downbeat: curve("downbeat"),
      kick: curve("kick"),
      snare: curve("snare"),
      low: curve("low"),
      mid: curve("mid"),
    };
    finder.push(curves);
    const hop = end + ROUND - 1;
    const phase = (hop - late) / period;
    shown = finder.count({ period, phase: phase - Math.floor(phase), share: 1 }, hop, 0);
  }
  const beats = (end - 1) / hops - shown.phase * (shown.period / hops);
  return { bpm: (60 * HOP_RATE) / shown.period, beatsOff: Math.abs(beats - Math.round(beats)) };
}

const ROCK: Hits = {
  beat: [[1, 0, 0.9]],
  kick: [[2, 0, 0.8]],
  snare: [[2, 1, 0.8]],
  low: [[2, 0, 1]],
  mid: [[1, 0, 0.5]],
};

describe("the count of a pulse", () => {
  // kept: Songs and jobs | Live punk was counted at half its tempo, slow songs at double | failed with the fault put
  // back
  test("doubles the filter's tempo if kick and snare alternate at twice that rate", () => {
    expect(countOf(178, ROCK, { bpm: 89 }).bpm).toBeCloseTo(178, 0);
  });

  test("halves the filter's tempo if every second beat has no drums and a weak activation", () => {
    const ballad: Hits = {
      ...ROCK,
      beat: [
        [1, 0, 0.9],
        [1, 0.5, 0.35],
      ],
      mid: [[0.5, 0, 0.5]],
    };
    expect(countOf(70, ballad, { bpm: 140 }).bpm).toBeCloseTo(70, 0);
  });

  test.each([100, 140, 178])("keeps the filter's tempo if it is the level of the drums, at %i BPM", (bpm) => {
    expect(countOf(bpm, ROCK, { bpm })).toMatchObject({ bpm: expect.closeTo(bpm, 0) });
  });

  test("is on the bass that chords answer, although the network detects the chords as beats", () => {
    const polka: Hits = {
      beat: [
        [1, 0, 0.4],
        [1, 0.5, 0.6],
      ],
      snare: [[1, 0.5, 0.6]],
      low: [[1, 0, 1]],
      mid: [[1, 0.5, 1]],
    };
    expect(countOf(118, polka, { bpm: 118, lateBeats: 0.5 }).beatsOff).toBeLessThan(0.1);
  });

  test("stays on the filter's beats if bass also plays between them", () => {
    const funk: Hits = {
      ...ROCK,
      low: [
        [1, 0, 0.7],
        [1, 0.5, 1],
      ],
    };
    expect(countOf(104, funk, { bpm: 104 }).beatsOff).toBeLessThan(0.1);
  });
});
