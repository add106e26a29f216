import { expect, test } from "vitest";
import { fitLine, fitLineThrough } from "./line.ts";

test("fits the exact line through points on a line", () => {
  const line = fitLine([2, 3, 7], [5, 7, 15]);
  expect(line.slope).toBeCloseTo(2, 12);
  expect(line.at(0)).toBeCloseTo(1, 12);
  expect(line.at(10)).toBeCloseTo(21, 12);
});

test("balances the points above and below the line", () => {
  const line = fitLine([0, 1, 2, 3], [0, 1.2, 1.8, 3]);
  const misses = [0, 1.2, 1.8, 3].map((y, x) => y - line.at(x));
  expect(misses.reduce((sum, miss) => sum + miss, 0)).toBeCloseTo(0, 12);
  expect(line.slope).toBeCloseTo(0.96, 12);
});

test("fits a level line through the middle of points at one position", () => {
  const line = fitLine([4, 4], [1, 3]);
  expect([line.slope, line.at(4), line.at(99)]).toEqual([0, 2, 2]);
});

test("uses the indices of the whole list when it fits part of the list", () => {
  const line = fitLineThrough([9, 9, 4, 6, 8, 9], 2, 5);
  expect(line.slope).toBeCloseTo(2, 12);
  expect(line.at(2)).toBeCloseTo(4, 12);
});
