import { REFERENCE_RIGS } from "@followspot/lighting";
import { describe, expect, it } from "vitest";
import { placeLamps, STAGE } from "./stage-layout.ts";
import { DEMO_RIG } from "../visualizer.queries.ts";

describe("placeLamps", () => {
  it("keeps every lamp of every reference rig on the picture", () => {
    for (const { rig } of REFERENCE_RIGS) {
      const lamps = placeLamps(rig);
      expect(new Set(lamps.map((lamp) => lamp.lightId)).size).toBe(rig.lights.length);
      expect(lamps.every((lamp) => lamp.x > 0 && lamp.x < STAGE.width && lamp.y > 0 && lamp.y < STAGE.height)).toBe(
        true,
      );
    }
  });

  it("hangs the demo rig left to right in stage order", () => {
    const xs = placeLamps(DEMO_RIG.rig).map((lamp) => lamp.x);
    expect(xs).toHaveLength(8);
    expect(xs).toEqual(xs.toSorted((a, b) => a - b));
  });

  it("leaves out lamps that are switched off", () => {
    const { rig } = DEMO_RIG;
    const lights = rig.lights.map((light, i) => ({ ...light, enabled: i > 0 }));
    expect(placeLamps({ ...rig, lights })).toHaveLength(7);
  });
});
