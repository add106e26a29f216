import { expect, test } from "vitest";
import { clamp, cosine, mean, median, percentile, round, smooth, standardise } from "./maths.ts";

test("clamps NaN to the lower limit", () => {
  expect([clamp(Number.NaN), clamp(-1), clamp(2), clamp(5, 3, 4)]).toEqual([0, 0, 1, 4]);
});

test("rounds to neither a negative zero nor NaN", () => {
  expect(JSON.stringify([round(-0.0001, 2), round(Number.NaN), round(Infinity)])).toBe("[0,0,0]");
  expect(Object.is(round(-0.0001, 2), 0)).toBe(true);
  expect(round(1.23456, 4)).toBe(1.2346);
});

test("returns 0 for the mean, median and deviation of no values", () => {
  expect([mean([]), mean([1, 2], 2), median([]), percentile([], 0.9), [...standardise([3, 3])]]).toEqual([
    0,
    0,
    0,
    0,
    [0, 0],
  ]);
});

test("interpolates percentiles linearly between the sorted values", () => {
  expect([percentile([3, 1, 2], 0), percentile([3, 1, 2], 1), percentile([4, 1], 0.25)]).toEqual([1, 3, 1.75]);
  expect([median([5, 1, 3]), median([4, 1, 3, 2])]).toEqual([3, 2.5]);
});

test("shortens the moving average at the ends", () => {
  expect([...smooth([0, 3, 6, 9], 1)]).toEqual([1.5, 3, 6, 7.5]);
});

test("compares the direction of vectors whatever their length; a zero vector is similar to none", () => {
  expect(cosine([1, 2], [3, 6])).toBeCloseTo(1, 12);
  expect(cosine([1, 0], [0, 1])).toBe(0);
  expect(cosine([0, 0], [1, 1])).toBe(0);
});
