import { lightingPlanSchema } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { CALIBRATION_TIMES, calibrationPlan } from "./calibration-plan.ts";
import { bindShow } from "./compile-show.ts";
import { limitInSlices } from "./limit-flashes.ts";
import { parsRig, REFERENCE_RIGS } from "./reference-rigs.ts";
import { newFrame, renderFrame } from "./render-frame.ts";

describe("the calibration", () => {
  const plan = calibrationPlan("calibration");
  const brightest = (rig: ReturnType<typeof parsRig>, t: number) => {
    const show = bindShow(plan, rig);
    for (const _ of limitInSlices(show));
    const frame = renderFrame(show, t, newFrame(show));
    return Math.max(...[...frame.values()].flatMap((slots) => [...slots]));
  };

  it("is a valid plan", () => {
    expect(lightingPlanSchema.safeParse(plan).success).toBe(true);
  });

  it("is dark before each click, full at it, and dark again a tenth of a second later", () => {
    const show = bindShow(plan, parsRig(4));
    const frame = newFrame(show);
    const dimmer = (t: number) => renderFrame(show, t, frame).get(1)![0]!;
    for (const time of [CALIBRATION_TIMES[0]!, 17, CALIBRATION_TIMES.at(-1)!]) {
      expect([time - 0.001, time, time + 0.09, time + 0.101].map(dimmer)).toEqual([0, 255, 255, 0]);
    }
  });

  it("is not dimmed by the flash limiter on any reference rig", () => {
    for (const { rig } of REFERENCE_RIGS) expect(brightest(rig, 5.05)).toBe(255);
  });
});
