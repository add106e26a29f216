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
/** Where a beam is at a distance from its head, metres. */
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
    "looks to the hall for %s, over the heads of its first rows",
    (position) => {
      for (const x of ROW) {
        const direction = directionOf(pose(x), positionOf(head(pose(x)), position), travel);
        expect(direction.y).toBeGreaterThan(0.3);
        const atEdge = beamOf(head(pose(x)), position, (6 - pose(x).y) / direction.y);
        expect(atEdge.z).toBeGreaterThan(2.4);
      }
    },
  );

  it("spreads outwards, each beam farther than the one before it", () => {
    const ends = ROW.map((x) => beamOf(head(pose(x)), "fan", 10).x);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    expect(ends[4]! - ends[0]!).toBeGreaterThan(16);
    expect(ends[2]).toBeCloseTo(0);
  });

  it("crosses: beams of the left end on the right, and the other way round", () => {
    for (const x of [-4, -2, 2, 4]) {
      const one = head(pose(x));
      const direction = directionOf(one.pose, positionOf(one, "crossed"), travel);
      const atBand = beamOf(one, "crossed", (5.5 - one.pose.y) / direction.y);
      expect(Math.sign(atBand.x)).toBe(-Math.sign(x));
    }
  });
});

it("a head on a truss lights the floor of the stage, one on the floor never the eyes of the hall", () => {
  const at = directionOf(hung(2), positionOf(head(hung(2)), "floor"), travel);
  expect(at.z).toBeLessThan(-0.7);
  expect(directionOf(stood(2), positionOf(head(stood(2)), "floor"), travel).y).toBeLessThan(0);
});

describe("a head that was aimed", () => {
  const aim: HeadAim = { ...UNAIMED, home: { pan: 0.4, tilt: 0.3 }, range: { pan: 0.1, tilt: 0.05 } };

  it("looks at the point it was taught, wherever it is", () => {
    const hall = { pan: 0.9, tilt: 0.1 };
    expect(positionOf(head(hung(3), { aim: { ...aim, hall } }), "hall")).toEqual(hall);
  });

  it("and placed looks at a point it was not taught from where it is", () => {
    const one = head(hung(3), { aim });
    expect(positionOf(one, "ceiling")).toEqual(positionOf(head(hung(3)), "ceiling"));
  });

  it("and never placed takes its home for the band, and leaves it by its range at most", () => {
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
