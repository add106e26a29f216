import { describe, expect, test } from "vitest";
import { seeded } from "../testing/test-sounds.ts";
import { smoothBeats } from "./smooth-beats.ts";
import { intervalsOf, offbeatsOf, tempoCurve, tempoOf } from "./tempo.ts";

const steady = (bpm: number, count: number) => Array.from({ length: count }, (_, i) => 1 + (i * 60) / bpm);
const indices = (beats: readonly number[]) => [...beats.keys()];

describe("the tempo of beats", () => {
  test("is the slope of the line through them if they lie on one", () => {
    expect(tempoOf(steady(97, 64), true)).toBeCloseTo(97, 9);
  });

  test("is that of the median interval otherwise, so that a pause has no effect", () => {
    const paused = steady(120, 32).map((time, i) => (i < 16 ? time : time + 7));
    expect(tempoOf(paused, false)).toBeCloseTo(120, 9);
  });

  test("is 0 for fewer than two", () => {
    expect([tempoOf([], true), tempoOf([3], false)]).toEqual([0, 0]);
  });
});

describe("the tempo curve", () => {
  test("has one point for a steady tempo", () => {
    const beats = steady(128, 100);
    expect(tempoCurve(beats, indices(beats))).toEqual([{ time: 1, bpm: 128 }]);
  });

  test("follows a tempo that doubles, and ends with the change", () => {
    const beats = [...steady(60, 20), ...steady(120, 40).map((time) => time + 20)];
    const points = tempoCurve(beats, indices(beats));
    expect(points[0]!.bpm).toBe(60);
    expect(points.at(-1)!.bpm).toBe(120);
    expect(points.every(({ bpm }, i) => i === 0 || bpm > points[i - 1]!.bpm)).toBe(true);
    expect(points.every(({ time }) => time <= 27)).toBe(true);
  });

  test("is empty for fewer than four beats", () => {
    expect(tempoCurve([1, 2, 3], [0, 1, 2])).toEqual([]);
  });
});

test("places off-beats according to the swing", () => {
  expect(offbeatsOf([0, 1, 3], 0.5)).toEqual([0.5, 2]);
  expect(offbeatsOf([0, 3], 2 / 3)).toEqual([2]);
  expect([offbeatsOf([1], 0.5), intervalsOf([1])]).toEqual([[], []]);
});

describe("smoothed beats", () => {
  const jitter = (beats: readonly number[], seconds: number) => {
    const next = seeded(7);
    return beats.map((time) => time + seconds * (2 * next() - 1));
  };

  test("of a machine return to its grid", () => {
    const truth = steady(120, 64);
    const { beats, stable } = smoothBeats(jitter(truth, 0.01));
    expect(stable).toBe(true);
    beats.forEach((time, i) => expect(Math.abs(time - truth[i]!)).toBeLessThan(0.004));
  });

  test("of players who change their tempo stay as many, in order, close to their original times", () => {
    const played = Array.from({ length: 64 }, (_, i) => 1 + i * 0.5 + 0.3 * Math.sin(i / 5));
    const { beats, stable } = smoothBeats(played);
    expect(stable).toBe(false);
    expect(beats).toHaveLength(64);
    beats.forEach((time, i) => expect(Math.abs(time - played[i]!)).toBeLessThan(0.025));
    expect(intervalsOf(beats).every((interval) => interval > 0)).toBe(true);
  });

  test("are unchanged if there are fewer than eight", () => {
    const few = [1, 1.7, 2.2];
    expect(smoothBeats(few)).toEqual({ beats: few, stable: false });
  });
});
