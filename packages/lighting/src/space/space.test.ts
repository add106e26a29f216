import type { Pose } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { GENERIC_FIXTURES } from "../fixtures.ts";
import { parsRig, REFERENCE_RIGS } from "../reference-rigs.ts";
import { aimAt, directionOf, fixedDirectionOf, type Point3 } from "./directions.ts";
import { mountPose, posesOf } from "./poses.ts";

const TRAVEL = { pan: 540, tilt: 270 };
const hung: Pose = { x: 0, y: 2, z: 4, hangs: true, turn: 0, lean: 0 };
const stood: Pose = { ...hung, z: 0, hangs: false };

describe("a head", () => {
  it("points straight down if it hangs and straight up if it stands, in the middle of its travel", () => {
    expect(directionOf(hung, { pan: 0.5, tilt: 0.5 }, TRAVEL)).toMatchObject({ z: -1 });
    expect(directionOf(stood, { pan: 0.5, tilt: 0.5 }, TRAVEL)).toMatchObject({ z: 1 });
  });

  it("leans toward the hall with more tilt, and then to the right with more pan", () => {
    const level = { pan: 0.5, tilt: 0.5 + 90 / 270 };
    expect(directionOf(hung, level, TRAVEL).y).toBeCloseTo(1);
    expect(directionOf(hung, { ...level, pan: 0.5 + 90 / 540 }, TRAVEL).x).toBeCloseTo(1);
  });

  it.each([
    ["a singer in front of it", hung, { x: 1, y: 4, z: 1.6 }],
    ["the wall behind it", hung, { x: -2, y: 0, z: 3 }],
    ["the far end of the hall", stood, { x: 3, y: 20, z: 2 }],
    ["the ceiling over it", stood, { x: 0.5, y: 2.2, z: 6 }],
    ["a point beside it when it is mounted rotated", { ...hung, turn: 120 }, { x: 3, y: 2, z: 2 }],
  ] as const)("aimed at %s points there", (_what, pose, point) => {
    const towards = directionOf(pose, aimAt(pose, point, TRAVEL), TRAVEL);
    expect(angleBetween(towards, { x: point.x - pose.x, y: point.y - pose.y, z: point.z - pose.z })).toBeLessThan(0.01);
  });

  it("pans at most a quarter turn for any point", () => {
    for (let i = 0; i < 36; i++) {
      const { pan } = aimAt(hung, { x: 5 * Math.sin(i / 5.7), y: 2 + 5 * Math.cos(i / 5.7), z: 1 }, TRAVEL);
      expect(Math.abs(pan - 0.5) * 540).toBeLessThanOrEqual(90.001);
    }
  });

  it("stays within its travel if the point is out of reach", () => {
    expect(aimAt(hung, { x: 0, y: 6, z: 4 }, { pan: 90, tilt: 90 })).toEqual({ pan: 0.5, tilt: 1 });
  });
});

describe("poses of a rig", () => {
  it("are in rows from left to right, all on the stage", () => {
    for (const { rig } of REFERENCE_RIGS) {
      const poses = posesOf(rig);
      expect(poses.size).toBe(rig.lights.length);
      for (const group of rig.groups) {
        const xs = group.lightIds.map((id) => poses.get(id)!.x);
        expect(xs).toEqual(xs.toSorted((a, b) => a - b));
        expect(Math.max(...xs.map(Math.abs))).toBeLessThan(5);
      }
    }
  });

  it("keep a fixture where a user placed it", () => {
    const rig = parsRig(2);
    const pose: Pose = { x: 3, y: 1, z: 0, hangs: false, turn: 90, lean: 90 };
    const moved = { ...rig, lights: rig.lights.map((light, i) => (i === 0 ? { ...light, pose } : light)) };
    expect(posesOf(moved).get(1)).toEqual(pose);
    expect(fixedDirectionOf(pose).x).toBeCloseTo(1);
  });
});

describe("a mounting position", () => {
  const [par, head, bar] = ["generic_rgb_par", "generic_moving_wash", "generic_rgb_bar"].map((key) => ({
    mode: GENERIC_FIXTURES.find((fixture) => fixture.key === key)!.modes[0]!,
  }));

  it("at the front lights the band from the front, and one at the back leans toward the hall", () => {
    const singer = { x: 0, y: 3.5, z: 1.6 };
    for (const mount of ["front", "stands"] as const) {
      const pose = { x: 0, ...mountPose(mount, par!) };
      const to = { x: -pose.x, y: singer.y - pose.y, z: singer.z - pose.z };
      expect(angleBetween(fixedDirectionOf(pose), to)).toBeLessThan(0.35);
    }
    expect(fixedDirectionOf({ x: 0, ...mountPose("back", par!) }).y).toBeGreaterThan(0);
  });

  it("on the floor has the lens height of the fixture body, with the beam upward", () => {
    const heights = [par!, head!, bar!].map((light) => mountPose("floor", light).z);
    expect(heights).toEqual([0.35, 0.45, 0.15]);
    expect(fixedDirectionOf({ x: 0, ...mountPose("floor", par!) }).z).toBeGreaterThan(0.9);
  });
});

function angleBetween(a: Point3, b: Point3): number {
  const dot = a.x * b.x + a.y * b.y + a.z * b.z;
  return Math.acos(Math.min(1, dot / (Math.hypot(a.x, a.y, a.z) * Math.hypot(b.x, b.y, b.z))));
}
