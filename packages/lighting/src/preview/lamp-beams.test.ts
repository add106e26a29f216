import type { Pose, Rig } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { compileShow } from "../compile-show.ts";
import { emptyPlan } from "../empty-plan.ts";
import { GENERIC_FIXTURES } from "../fixtures.ts";
import { parsRig, REFERENCE_RIGS } from "../reference-rigs.ts";
import { directionOf, fixedDirectionOf, travelOf } from "../space/directions.ts";
import { lampBeams, setBeams, type LampBeams } from "./lamp-beams.ts";

const OVER: Pose = { x: 0, y: 2, z: 4, hangs: true, turn: 0, lean: 0 };

function rigOf(key: string, mode: number, ...poses: readonly Pose[]): Rig {
  const found = GENERIC_FIXTURES.find((fixture) => fixture.key === key)!.modes[mode]!;
  const lights = poses.map((pose, i) => {
    const address = 1 + i * found.channels.length;
    return { id: i + 1, label: "", universe: 1, address, mode: found, enabled: true, pose };
  });
  return { lights, groups: [] };
}

const showOn = (rig: Rig) => compileShow(emptyPlan([]), rig);
const triple = (values: Float32Array, h: number): number[] => [...values.subarray(3 * h, 3 * h + 3)];

/** Returns the point where the axis of a beam meets the stage floor. */
function poolOf({ positions, directions }: LampBeams, h: number): readonly number[] {
  const [x, y, z] = triple(positions, h) as [number, number, number];
  const [dx, dy, dz] = triple(directions, h) as [number, number, number];
  return [x - (dx * z) / dz, y - (dy * z) / dz];
}

describe("beams in a preview", () => {
  it("end below a fixture that points straight down", () => {
    const rig = rigOf("generic_rgb_par", 0, OVER, { ...OVER, x: -2, lean: 45 });
    const beams = lampBeams(showOn(rig), rig);
    expect(poolOf(beams, 0)).toEqual([0, 2]);
    expect(poolOf(beams, 1)[0]).toBeCloseTo(-2);
    expect(poolOf(beams, 1)[1]).toBeCloseTo(6);
  });

  it("point where the heads of the show point", () => {
    const pose = { ...OVER, turn: 30 };
    const rig = rigOf("generic_moving_wash", 0, pose);
    const show = showOn(rig);
    const beams = lampBeams(show, rig);
    show.pan[0] = 0.6;
    show.tilt[0] = 0.7;
    setBeams(beams, show);
    const { x, y, z } = directionOf(pose, { pan: show.pan[0], tilt: show.tilt[0] }, travelOf(rig.lights[0]!.mode));
    for (const [i, value] of [x, y, z].entries()) expect(beams.directions[i]).toBeCloseTo(value);
  });

  it("of fixtures without pan and tilt follow their pose", () => {
    const pose = { ...OVER, turn: -70, lean: 40 };
    const rig = rigOf("generic_rgb_par", 0, pose);
    const show = showOn(rig);
    const beams = lampBeams(show, rig);
    setBeams(beams, show);
    const { x, y, z } = fixedDirectionOf(pose);
    for (const [i, value] of [x, y, z].entries()) expect(beams.directions[i]).toBeCloseTo(value);
  });

  it("have the emitted color, and none in the dark", () => {
    const rig = parsRig(2);
    const show = showOn(rig);
    const beams = lampBeams(show, rig);
    show.level.set([0.5, 0]);
    show.red.fill(1);
    show.blue.fill(0.5);
    setBeams(beams, show);
    expect([...beams.colors]).toEqual([0.5, 0, 0.25, 0, 0, 0]);
  });

  it("widen with the zoom", () => {
    const rig = rigOf("generic_moving_wash", 0, OVER);
    const show = showOn(rig);
    const beams = lampBeams(show, rig);
    const angleAt = (zoom: number) => {
      show.zoom[0] = zoom;
      setBeams(beams, show);
      return beams.halfAngles[0];
    };
    expect([angleAt(0), angleAt(1)]).toEqual([4, 22.5]);
  });

  it("of a bar are along its body, whatever its rotation", () => {
    const turned = { ...OVER, turn: 90 };
    const rig = rigOf("generic_rgb_bar", 0, OVER, turned);
    const { positions, lamps } = lampBeams(showOn(rig), rig);
    expect(lamps.map(({ body }) => body)).toEqual(["bar", "bar"]);
    const [ahead, aside] = lamps.map(({ heads }) => heads.map((h) => triple(positions, h)));
    expect(ahead!.map(([x]) => x)).toEqual([-0.375, -0.125, 0.125, 0.375]);
    expect(aside!.map(([, y]) => y!.toFixed(3))).toEqual(["2.375", "2.125", "1.875", "1.625"]);
  });

  it("exist for every head of a rig", () => {
    for (const { rig } of REFERENCE_RIGS) {
      const show = showOn(rig);
      const beams = lampBeams(show, rig);
      setBeams(beams, show);
      expect(beams.lamps.flatMap(({ heads }) => heads).toSorted((a, b) => a - b)).toEqual([
        ...Array.from({ length: show.headCount }).keys(),
      ]);
      for (let h = 0; h < beams.count; h++) expect(Math.hypot(...triple(beams.directions, h))).toBeCloseTo(1);
    }
  });
});
