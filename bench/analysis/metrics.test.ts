import { expect, test } from "vitest";
import { beatF, keyScore, matchF, tempoRight } from "./metrics.ts";

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
