import { expect, it } from "vitest";
import { levelOf } from "./levels.ts";

it("plays a song at the requested loudness without clipping", () => {
  expect(levelOf(-6, 0.9)).toBeCloseTo(0.501, 3);
  expect(levelOf(6, 0.2)).toBeCloseTo(1.995, 3);
  // Six dB more would raise its peaks above full scale.
  expect(levelOf(6, 0.9) * 0.9).toBeLessThanOrEqual(0.97);
  expect(levelOf(6, 0.9)).toBeGreaterThan(1);
  // A song mastered beyond full scale is reduced below it.
  expect(levelOf(0, 1.2) * 1.2).toBeLessThanOrEqual(0.97);
  expect(levelOf(9, 0)).toBe(1);
});

it("plays walk-in music softer by the given level, even if a song is as loud as possible", () => {
  for (const [gain, peak] of [
    [-6, 0.9],
    [6, 0.9],
    [9, 0],
  ] as const)
    expect(20 * Math.log10(levelOf(gain, peak, -6) / levelOf(gain, peak))).toBeCloseTo(-6, 6);
});
