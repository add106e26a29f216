import { describe, expect, test } from "vitest";
import {
  areaUnderRoc,
  beatErrors,
  beatF,
  boundaryF,
  continuity,
  informationGain,
  keyScore,
  matchF,
  scaleInvariantSdr,
  tempoRight,
  vocalAuc,
} from "./metrics.ts";

test("beats within 70 ms count once, and the first five seconds not at all", () => {
  // 6.05 and 7 hit; 8.2 misses; 6.06 may not match 6 again: 2 hits of 4 estimated and 3 true.
  expect(beatF([1, 6.05, 6.06, 7, 8.2], [2, 6, 7, 8])).toBeCloseTo(4 / 7);
  expect(beatF([], [6])).toBe(0);
});

test("double tempo scores two thirds", () => {
  const truth = [6, 7, 8, 9];
  expect(beatF([6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5], truth)).toBeCloseTo(2 / 3);
});

test("nothing to find and nothing found is perfect", () => {
  expect(matchF([], [], 3)).toBe(1);
});

test.each([
  { estimated: 124.9, truth: 120, plain: false, octaves: false },
  { estimated: 124.7, truth: 120, plain: true, octaves: true },
  { estimated: 60, truth: 120, plain: false, octaves: true },
  { estimated: 359, truth: 120, plain: false, octaves: true },
])("$estimated BPM for $truth", ({ estimated, truth, plain, octaves }) => {
  expect(tempoRight(estimated, truth)).toBe(plain);
  expect(tempoRight(estimated, truth, true)).toBe(octaves);
});

test.each([
  ["C major", "C major", 1],
  ["Db minor", "C# minor", 1],
  ["G major", "C major", 0.5],
  ["F major", "C major", 0],
  ["A minor", "C major", 0.3],
  ["C major", "A minor", 0.3],
  ["C minor", "C major", 0.2],
  ["D minor", "C major", 0],
  ["", "C major", 0],
])("%s for %s scores %f", (estimated, truth, score) => {
  expect(keyScore(estimated, truth)).toBe(score);
});

const STEADY = [5, 6, 7, 8, 9, 10, 11, 12];

test.each([
  { name: "the truth", beats: STEADY, cmlt: 1, amlt: 1 },
  // Phase 0.17 of an interval passes, 0.18 does not.
  { name: "17 % late", beats: STEADY.map((t) => t + 0.17), cmlt: 1, amlt: 1 },
  { name: "18 % late", beats: STEADY.map((t) => t + 0.18), cmlt: 0, amlt: 0 },
  { name: "the off-beat", beats: STEADY.slice(0, -1).map((t) => t + 0.5), cmlt: 0, amlt: 1 },
  { name: "half tempo", beats: [5, 7, 9, 11], cmlt: 0, amlt: 1 },
  { name: "half tempo, other phase", beats: [6, 8, 10, 12], cmlt: 0, amlt: 1 },
  { name: "double tempo", beats: Array.from({ length: 15 }, (_, i) => 5 + i / 2), cmlt: 0, amlt: 1 },
  // 5 6 7 are right; 9 has a wrong interval before it; 10 11 12 are right again: 6 of 8.
  { name: "one beat left out", beats: [5, 6, 7, 9, 10, 11, 12], cmlt: 6 / 8, amlt: 6 / 8 },
  { name: "nothing", beats: [], cmlt: 0, amlt: 0 },
])("continuity of $name", ({ beats, cmlt, amlt }) => {
  expect(continuity(beats, STEADY).cmlt).toBeCloseTo(cmlt);
  expect(continuity(beats, STEADY).amlt).toBeCloseTo(amlt);
});

test("beat errors are signed, in ms, of matched beats only", () => {
  const errors = beatErrors([4.01, 6.02, 6.99, 8.5], [4, 6, 7, 8]);
  expect(errors).toHaveLength(2);
  expect(errors[0]).toBeCloseTo(20);
  expect(errors[1]).toBeCloseTo(-10);
});

test("both ends of a song are boundaries that always hit", () => {
  // Truth 0 10 30 60, found 0 10.4 33.1 50 60: three hits of 4 and 5 boundaries; 33.1 is 3.1 s off.
  expect(boundaryF([10.4, 33.1, 50], [0, 10, 30], 60, 0.5)).toBeCloseTo(6 / 9);
  expect(boundaryF([10.4, 32.9, 50], [0, 10, 30], 60, 3)).toBeCloseTo(8 / 9);
  expect(boundaryF([], [0], 60, 0.5)).toBe(1);
});

test("the area under the ROC curve counts pairs in the right order, ties half", () => {
  // Pairs: 3>1, 3>2, 2>1, 2=2: 3.5 of 4.
  expect(areaUnderRoc([3, 2], [1, 2])).toBeCloseTo(3.5 / 4);
  expect(areaUnderRoc([1], [])).toBeUndefined();
});

test("vocal presence is judged frame by frame", () => {
  // At 10 Hz the frames at 0.1 and 0.2 s are sung.
  expect(vocalAuc([0.1, 0.9, 0.8, 0.2], 10, [[0.05, 0.25]])).toBe(1);
  expect(vocalAuc([0.9, 0.1, 0.8, 0.2], 10, [[0.05, 0.25]])).toBeCloseTo(1 / 4);
  expect(vocalAuc([0.5, 0.5], 10, [])).toBeUndefined();
});

describe("the ratio of a separated stem to what does not belong to it", () => {
  const truth = [Float32Array.of(3, 0), Float32Array.of(0, 4)];

  test("is the ratio of their powers, whatever the level", () => {
    // The error [0, 1, 0, 0] is at right angles to the truth: power 25 against 1.
    const estimate = [Float32Array.of(3, 1), Float32Array.of(0, 4)];
    expect(scaleInvariantSdr(estimate, truth)).toBeCloseTo(10 * Math.log10(25));
    const quiet = estimate.map((channel) => channel.map((v) => v / 10));
    expect(scaleInvariantSdr(quiet, truth)).toBeCloseTo(10 * Math.log10(25));
  });

  test("falls when a channel is missing", () => {
    // Of [3, 0, 0, 0] the truth [3, 0, 0, 4] explains 81 / 25; 9 - 81 / 25 is left.
    const estimate = [Float32Array.of(3, 0), Float32Array.of(0, 0)];
    expect(scaleInvariantSdr(estimate, truth)).toBeCloseTo(10 * Math.log10(81 / 25 / (9 - 81 / 25)));
  });
});

describe("information gain", () => {
  const beats = Array.from({ length: 80 }, (_, i) => 5 + i);

  test("is full for the same pulse at any phase, and a bit less at twice the level", () => {
    expect(informationGain(beats, beats)).toBeCloseTo(Math.log2(40));
    expect(
      informationGain(
        beats.map((t) => t + 0.25),
        beats,
      ),
    ).toBeCloseTo(Math.log2(40));
    // Every other beat of the faster pulse lies half-way between two: two bins of one half each are one bit.
    const twice = beats.flatMap((t) => [t, t + 0.5]);
    expect(informationGain(twice, beats)).toBeCloseTo(Math.log2(40) - 1, 1);
  });

  test("is nothing where errors are spread evenly", () => {
    const drifting = Array.from({ length: 80 }, (_, i) => 5 + i * (1 + 1 / 40));
    expect(
      informationGain(
        drifting,
        Array.from({ length: 90 }, (_, i) => 5 + i),
      ),
    ).toBeCloseTo(0, 1);
  });

  test("of no beats, or of beats at other times, is none", () => {
    expect(informationGain([], beats)).toBe(0);
    expect(informationGain([200, 201, 202], beats)).toBe(0);
  });
});
