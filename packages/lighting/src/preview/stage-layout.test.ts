import { describe, expect, it } from "vitest";
import { parsRig, REFERENCE_RIGS } from "../reference-rigs.ts";
import { placeLamps, STAGE } from "./stage-layout.ts";

describe("placeLamps", () => {
  it("keeps every fixture of every reference rig on the picture", () => {
    for (const { rig } of REFERENCE_RIGS) {
      const lamps = placeLamps(rig);
      expect(new Set(lamps.map((lamp) => lamp.lightId)).size).toBe(rig.lights.length);
      expect(lamps.every((lamp) => lamp.x > 0 && lamp.x < STAGE.width && lamp.y > 0 && lamp.y < STAGE.height)).toBe(
        true,
      );
    }
  });

  it("hangs eight pars from left to right in stage order", () => {
    const xs = placeLamps(parsRig(8)).map((lamp) => lamp.x);
    expect(xs).toHaveLength(8);
    expect(xs).toEqual(xs.toSorted((a, b) => a - b));
  });

  it("places a fixture as on the stage plan, with all of its heads, and leaves the others in their row", () => {
    const rig = REFERENCE_RIGS[1]!.rig;
    const [first] = rig.lights;
    const before = placeLamps(rig);
    const at = (place: { x: number; y: number }) => {
      const pose = { ...place, z: 4, hangs: true, turn: 0, lean: 0 };
      return placeLamps({ ...rig, lights: rig.lights.map((light) => (light === first ? { ...light, pose } : light)) });
    };
    const [left, right] = [at({ x: -5, y: 0 }), at({ x: 5, y: 6 })];
    const own = (lamps: typeof before) => lamps.filter(({ lightId }) => lightId === first!.id);
    expect(own(left).every(({ x, y }) => x < 100 && y < 40)).toBe(true);
    expect(own(right).every(({ x, y }) => x > STAGE.width - 100 && y > 60)).toBe(true);
    const heights = Array.from({ length: 21 }, (_, i) => own(at({ x: 0, y: (6 * i) / 20 }))[0]!.y);
    expect(new Set(heights).size).toBeLessThanOrEqual(4);
    const others = (lamps: typeof before) => lamps.filter(({ lightId }) => lightId !== first!.id);
    expect(others(left)).toEqual(others(before));
  });

  it("leaves out disabled fixtures", () => {
    const rig = parsRig(8);
    const lights = rig.lights.map((light, i) => ({ ...light, enabled: i > 0 }));
    expect(placeLamps({ ...rig, lights })).toHaveLength(7);
  });
});
