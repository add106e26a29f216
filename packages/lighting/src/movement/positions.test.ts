import { HEAD_POSITIONS, type HeadAim, type HeadPosition, type Pose } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { UNAIMED } from "../aims.ts";
import { directionOf } from "../space/directions.ts";
import { positionOf, type AimedHead } from "./positions.ts";

const travel = { pan: 540, tilt: 270 };
const hung = (x: number, turn = 0): Pose => ({ x, y: 1.5, z: 4.5, hangs: true, turn, lean: 0 });
const stood = (x: number): Pose => ({ x, y: 0.6, z: 0.2, hangs: false, turn: 0, lean: 0 });
const head = (pose: Pose, more: Partial<AimedHead> = {}): AimedHead => ({
  pose,
  isPlaced: true,
  aim: undefined,
  side: pose.x / 4,
  travel,
  ...more,
});
/** Returns the point of a beam at a distance from its head, meters. */
function beamOf(one: AimedHead, position: HeadPosition, away: number) {
  const { x, y, z } = directionOf(one.pose, positionOf(one, position), travel);
  return { x: one.pose.x + x * away, y: one.pose.y + y * away, z: one.pose.z + z * away };
}
const ROW = [-4, -2, 0, 2, 4];

describe.each([
  ["on a truss", (x: number) => hung(x)],
  ["on a truss, hung the wrong way round", (x: number) => hung(x, 180)],
  ["on the floor", stood],
])("a row of heads %s", (_where, pose) => {
  it("meets at the singer", () => {
    for (const x of ROW) {
      const one = head(pose(x));
      const away = Math.hypot(x, 4.5 - one.pose.y, 1.6 - one.pose.z);
      const at = beamOf(one, "band", away);
      expect(Math.hypot(at.x, at.y - 4.5, at.z - 1.6)).toBeLessThan(0.01);
    }
  });

  it.each(["hall", "ceiling", "point"] as const)(
    "points into the hall for %s, above the heads of the first rows",
    (position) => {
      for (const x of ROW) {
        const direction = directionOf(pose(x), positionOf(head(pose(x)), position), travel);
        expect(direction.y).toBeGreaterThan(0.3);
        const atEdge = beamOf(head(pose(x)), position, (6 - pose(x).y) / direction.y);
        expect(atEdge.z).toBeGreaterThan(2.4);
      }
    },
  );

  it("spreads outward in a fan, each beam beyond the previous one", () => {
    const ends = ROW.map((x) => beamOf(head(pose(x)), "fan", 10).x);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    expect(ends[4]! - ends[0]!).toBeGreaterThan(16);
    expect(ends[2]).toBeCloseTo(0);
  });

  it("crosses beams from the left to the right and vice versa", () => {
    for (const x of [-4, -2, 2, 4]) {
      const one = head(pose(x));
      const direction = directionOf(one.pose, positionOf(one, "crossed"), travel);
      const atBand = beamOf(one, "crossed", (5.5 - one.pose.y) / direction.y);
      expect(Math.sign(atBand.x)).toBe(-Math.sign(x));
    }
  });
});

it("a head on a truss lights the stage floor; one on the floor never dazzles the hall", () => {
  const at = directionOf(hung(2), positionOf(head(hung(2)), "floor"), travel);
  expect(at.z).toBeLessThan(-0.7);
  expect(directionOf(stood(2), positionOf(head(stood(2)), "floor"), travel).y).toBeLessThan(0);
});

describe("an aimed head", () => {
  const aim: HeadAim = { ...UNAIMED, home: { pan: 0.4, tilt: 0.3 }, range: { pan: 0.1, tilt: 0.05 } };

  it("points at a taught position, wherever it hangs", () => {
    const hall = { pan: 0.9, tilt: 0.1 };
    expect(positionOf(head(hung(3), { aim: { ...aim, hall } }), "hall")).toEqual(hall);
  });

  it("that is placed points at other positions by its pose", () => {
    const one = head(hung(3), { aim });
    expect(positionOf(one, "ceiling")).toEqual(positionOf(head(hung(3)), "ceiling"));
  });

  it("that is not placed takes its home as the band, and stays within its range", () => {
    const one = head(hung(3), { aim, isPlaced: false });
    expect(positionOf(one, "band")).toEqual(aim.home);
    for (const position of HEAD_POSITIONS) {
      const { pan, tilt } = positionOf(one, position);
      expect(Math.abs(pan - 0.4)).toBeLessThanOrEqual(0.1 + 1e-9);
      expect(Math.abs(tilt - 0.3)).toBeLessThanOrEqual(0.05 + 1e-9);
    }
    expect(positionOf(one, "hall").tilt).toBeGreaterThan(0.3);
  });
});
