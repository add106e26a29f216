import { describe, expect, it } from "vitest";
import { Sight } from "./sight.ts";
import { fieldOf } from "./stage-views.ts";

/** From ten metres before the middle of the stage, level with it; a square picture. */
const level = new Sight({ at: [0, 0, 2], distance: 10, turn: 0, lift: 0 }, 400, 400);
/** From above at an angle and from one side. */
const aslant = new Sight({ at: [0, 2, 2.2], distance: 14, turn: 0.5, lift: 0.6 }, 800, 450);

describe("the picture of a stage", () => {
  it("has what is looked at in its middle, what is right on the right and what is high above", () => {
    expect(level.spotOf({ x: 0, y: 0, z: 2 })).toEqual({ x: 200, y: 200, depth: 10 });
    const edge = 10 * Math.tan((fieldOf(1) * Math.PI) / 360);
    expect(level.spotOf({ x: edge, y: 0, z: 2 })!.x).toBeCloseTo(400);
    expect(level.spotOf({ x: 0, y: 0, z: 2 + edge })!.y).toBeCloseTo(0);
    expect(level.spotOf({ x: 0, y: 12, z: 2 })).toBeUndefined();
  });

  it("leads a lamp over the plane at its height to the point a pointer is at", () => {
    const [from, to] = [{ x: -2, y: 2.5, z: 4.5 }, { x: 1.25, y: 5, z: 4.5 }]; // prettier-ignore
    const led = aslant.lead(from, aslant.spotOf(from)!, false)(aslant.spotOf(to)!);
    expect(led.x).toBeCloseTo(1.25);
    expect(led.y).toBeCloseTo(5);
    expect(led.z).toBeUndefined();
  });

  it("keeps the distance of the pointer from the lamp that was grabbed beside its middle", () => {
    const from = { x: 0, y: 0, z: 2 };
    const led = level.lead(from, { x: 210, y: 190 }, false)({ x: 210, y: 190 });
    expect(led).toEqual({ x: 0, z: 2 });
  });

  it("leads across and up where the plane is seen edge-on", () => {
    const to = level.spotOf({ x: 1, y: 0, z: 3 })!;
    const led = level.lead({ x: 0, y: 0, z: 2 }, { x: 200, y: 200 }, false)(to);
    expect(led.x).toBeCloseTo(1);
    expect(led.z).toBeCloseTo(3);
    expect(led.y).toBeUndefined();
  });

  it("leads up and down alone for a height", () => {
    const led = level.lead({ x: 0, y: 0, z: 2 }, { x: 200, y: 200 }, true)(level.spotOf({ x: 1, y: 0, z: 3 })!);
    expect(Object.keys(led)).toEqual(["z"]);
    expect(led.z).toBeCloseTo(3);
  });

  it("leads nowhere beyond the horizon", () => {
    const low = new Sight({ at: [0, 2, 2], distance: 12, turn: 0, lift: 0.5 }, 400, 400);
    const point = { x: 0, y: 2, z: 0 };
    expect(low.lead(point, low.spotOf(point)!, false)({ x: 200, y: -2000 })).toEqual({});
  });
});
