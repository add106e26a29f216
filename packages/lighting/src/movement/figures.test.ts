import { describe, expect, it } from "vitest";
import { FIGURES, figureOf } from "./figures.ts";
import { rowOf } from "./row.ts";
import { singersOf } from "./singers.ts";
import { travelled, travelSeconds } from "./travel.ts";

const STEPS = 3000;
const cycle = Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS);

describe.each(FIGURES.map((figure) => [figure.name, figure] as const))("the figure %s", (name, figure) => {
  it("is found by its name", () => {
    expect(FIGURES[figureOf(name)]).toBe(figure);
  });

  it.each([
    ["pan", figure.panAt, figure.pan],
    ["tilt", figure.tiltAt, figure.tilt],
  ] as const)("reaches its full %s extent, and repeats every cycle", (_axis, at, degrees) => {
    const most = Math.max(...cycle.map((phase) => Math.abs(at(phase))));
    expect(most).toBeCloseTo(degrees > 0 ? 1 : 0, 3);
    for (const phase of [0.1, 0.45, 0.8]) expect(at(phase - 3)).toBeCloseTo(at(phase), 9);
  });

  it.each([
    ["pan", figure.panAt, figure.panSlope],
    ["tilt", figure.tiltAt, figure.tiltSlope],
  ] as const)("reaches its steepest %s change, and never exceeds it", (_axis, at, slope) => {
    const changes = cycle.slice(1).map((phase, i) => Math.abs(at(phase) - at(cycle[i]!)) * STEPS);
    expect(Math.max(...changes)).toBeLessThanOrEqual(slope + 1e-9);
    expect(Math.max(...changes)).toBeGreaterThanOrEqual(0.99 * slope);
  });
});

it("an unknown figure is the sway", () => {
  for (const name of [undefined, "", "moonwalk", 7]) expect(FIGURES[figureOf(name)]!.name).toBe("sway");
});

describe("a move", () => {
  // At 200 degrees per second, 100 degrees take half a second at full speed; the ramps of 0.15 s add half of each.
  it("takes as long as its speed limit needs, with ramps of 150 ms", () => {
    expect(travelSeconds(100, 200)).toBeCloseTo(0.65);
    expect(travelSeconds(1, 200)).toBeCloseTo(0.3);
  });

  it.each([1, 30, 100, 400])("of %d degrees never exceeds its limit and accelerates over its ramp", (degrees) => {
    const seconds = travelSeconds(degrees, 200);
    const at = (t: number) => degrees * travelled(t / seconds, 0.15 / seconds);
    expect([at(0), at(seconds)]).toEqual([0, degrees]);
    const speeds = cycle
      .slice(1)
      .map((share, i) => ((at(share * seconds) - at(cycle[i]! * seconds)) * STEPS) / seconds);
    expect(Math.max(...speeds)).toBeLessThanOrEqual(200 + 1e-6);
    expect(Math.min(...speeds)).toBeGreaterThanOrEqual(0);
    const rises = speeds.slice(1).map((speed, i) => ((speed - speeds[i]!) * STEPS) / seconds);
    expect(Math.max(...rises.map(Math.abs))).toBeLessThanOrEqual(200 / 0.15 + 1e-3);
  });
});

it("a row counts heads from left to right, and those above one another as one", () => {
  expect(rowOf([3, -3, 0, 3.04])).toEqual([
    { place: 1, index: 2 },
    { place: 0, index: 0 },
    { place: 0.5, index: 1 },
    { place: 1, index: 2 },
  ]);
  expect(rowOf([2])).toEqual([{ place: 0.5, index: 0 }]);
});

it("the singer gets the fixture nearest to the middle, the pair around it, or both of two", () => {
  const lamps = (widths: number[]) => [...singersOf(widths)].toSorted();
  expect(lamps([])).toEqual([]);
  expect(lamps([-4, 4])).toEqual([0, 1]);
  expect(lamps([-4, 0.5, 4])).toEqual([1]);
  expect(lamps([-4, -1, 1.1, 4])).toEqual([1, 2]);
});
