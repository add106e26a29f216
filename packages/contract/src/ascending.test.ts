import { describe, expect, it } from "vitest";
import { lastAtOrBefore, nearestIndex } from "./ascending.ts";

const BEATS = [0.5, 1, 1.5, 2.5];

describe("lastAtOrBefore", () => {
  it.each([
    [0.4, -1],
    [0.5, 0],
    [0.99, 0],
    [1, 1],
    [2.4, 2],
    [2.5, 3],
    [Infinity, 3],
    [-Infinity, -1],
    [Number.NaN, -1],
  ])("finds for %d the place %d", (value, place) => {
    expect(lastAtOrBefore(BEATS, value)).toBe(place);
  });

  it("finds nothing in an empty list", () => {
    expect(lastAtOrBefore([], 1)).toBe(-1);
  });

  it("finds the last of equal values", () => {
    expect(lastAtOrBefore([1, 1, 1, 2], 1)).toBe(2);
  });
});

describe("nearestIndex", () => {
  it.each([
    [-3, 0],
    [0.7, 0],
    [0.75, 0],
    [0.76, 1],
    [1.5, 2],
    [2.01, 3],
    [99, 3],
  ])("finds for %d the place %d, the earlier of two as near", (value, place) => {
    expect(nearestIndex(BEATS, value)).toBe(place);
  });

  it("finds nothing in an empty list", () => {
    expect(nearestIndex([], 1)).toBe(-1);
  });

  it("agrees with looking at every value", () => {
    const list = Array.from({ length: 200 }, (_, i) => i * 0.37 + Math.sin(i) * 0.1);
    for (let t = -1; t < 80; t += 0.013) {
      const distances = list.map((value) => Math.abs(value - t));
      expect(distances[nearestIndex(list, t)]).toBe(Math.min(...distances));
    }
  });
});
