import type { Pose } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { aligned, arc, arcOf, mirrored, row, spread, type Poses } from "./arrange.ts";

const at = (x: number, y: number, more: Partial<Pose> = {}): Pose => ({
  x,
  y,
  z: 4.5,
  hangs: true,
  turn: 0,
  lean: 0,
  ...more,
});
const poses = (...all: readonly Pose[]): Poses => new Map(all.map((pose, i) => [i + 1, pose]));

describe("a row", () => {
  it("distributes fixtures evenly between two points, in stage order", () => {
    // Fixture 1 is on the right, fixture 2 on the left.
    const patches = row(poses(at(3, 1), at(-3, 2), at(0, 5)), { x: -2, y: 1 }, { x: 2, y: 3 });
    expect(patches.get(2)).toEqual({ x: -2, y: 1 });
    expect(patches.get(3)).toEqual({ x: 0, y: 2 });
    expect(patches.get(1)).toEqual({ x: 2, y: 3 });
  });

  it("places a single fixture at the midpoint", () => {
    expect(row(poses(at(3, 1)), { x: -2, y: 1 }, { x: 2, y: 3 }).get(1)).toEqual({ x: 0, y: 2 });
  });
});

describe("an arc", () => {
  const three = poses(at(-1, 1), at(0, 1), at(1, 1));

  it("of 180° has its middle at the back and its ends beside the center", () => {
    const patches = arc(three, { at: { x: 1, y: 4 }, radius: 3, angle: 180, faces: "inwards" });
    const expected = [[1, -2, 4, 90], [2, 1, 1, 0], [3, 4, 4, -90]] as const; // prettier-ignore
    for (const [id, x, y, turn] of expected) {
      expect(patches.get(id)!.x).toBeCloseTo(x);
      expect(patches.get(id)!.y).toBeCloseTo(y);
      expect(patches.get(id)!.turn).toBeCloseTo(turn);
    }
  });

  it("turns every fixture toward the center, or away from it", () => {
    const middle = { x: 0.5, y: 3 };
    for (const faces of ["inwards", "outwards"] as const) {
      for (const { x, y, turn } of arc(three, { at: middle, radius: 2, angle: 250, faces }).values()) {
        const [dx, dy] = [Math.sin((turn! * Math.PI) / 180), Math.cos((turn! * Math.PI) / 180)];
        const towards = ((middle.x - x!) * dx + (middle.y - y!) * dy) / 2;
        expect(towards).toBeCloseTo(faces === "inwards" ? 1 : -1);
        expect(Math.abs(turn!)).toBeLessThanOrEqual(180);
      }
    }
  });

  it("of 360° does not place the last fixture on the first", () => {
    const four = poses(at(-1, 1), at(0, 1), at(1, 1), at(2, 1));
    const corners = [...arc(four, { at: { x: 0, y: 0 }, radius: 1, angle: 360, faces: "inwards" }).values()];
    const places = corners.map(({ x, y }) => `${x!.toFixed(3)} ${y!.toFixed(3)}`);
    expect(new Set(places).size).toBe(4);
  });

  it("is proposed with the selection's center and width; its back is at the rearmost fixture", () => {
    expect(arcOf(poses(at(-3, 2), at(3, 2), at(1, 4)))).toMatchObject({ at: { x: 0, y: 5 }, radius: 3 });
  });
});

describe("mirrored pairs", () => {
  const four = poses(at(-4, 1, { turn: 30, z: 3 }), at(-1, 2), at(2, 5, { turn: 10 }), at(3, 5, { lean: 20 }));

  it("mirror the left poses to the right, with opposite turns", () => {
    const patches = mirrored(four, "left");
    expect(patches.get(4)).toEqual(at(4, 1, { turn: -30, z: 3 }));
    expect(patches.get(3)).toMatchObject({ x: 1, y: 2 });
    expect(patches.get(1)).toEqual(four.get(1));
  });

  it("mirror the right poses to the left", () => {
    const patches = mirrored(four, "right");
    expect(patches.get(1)).toMatchObject({ x: -3, y: 5, lean: 20 });
    expect(patches.get(2)).toMatchObject({ x: -2, y: 5, turn: -10 });
  });

  it("use the midpoint of both sides, and put an unpaired fixture in the center", () => {
    const patches = mirrored(poses(at(-4, 1), at(0.4, 3), at(2, 3)), "both");
    expect(patches.get(1)).toMatchObject({ x: -3, y: 2 });
    expect(patches.get(3)).toMatchObject({ x: 3, y: 2 });
    expect(patches.get(2)).toEqual({ x: 0 });
  });

  it("preserve a turn of 180°", () => {
    expect(mirrored(poses(at(-1, 1, { turn: 180 }), at(1, 1)), "left").get(2)!.turn).toBe(180);
  });
});

describe("aligned fixtures", () => {
  it("get the median depth or height", () => {
    const uneven = poses(at(0, 1, { z: 4.5 }), at(1, 2, { z: 4.5 }), at(2, 2, { z: 0.2 }));
    expect([...aligned(uneven, "y").values()]).toEqual([{ y: 2 }, { y: 2 }, { y: 2 }]);
    expect(aligned(uneven, "z").get(3)).toEqual({ z: 4.5 });
  });

  it("spread evenly along the longer axis, with the outer two in place", () => {
    expect([...spread(poses(at(-3, 1), at(-2, 2), at(3, 1)))]).toEqual([[1, { x: -3 }], [2, { x: 0 }], [3, { x: 3 }]]); // prettier-ignore
    expect(spread(poses(at(0, 0), at(1, 1), at(0, 6))).get(2)).toEqual({ y: 3 });
  });
});
