import { describe, expect, it } from "vitest";
import { planShow } from "../plan/plan-show.ts";
import { parsRig, REFERENCE_RIGS } from "../reference-rigs.ts";
import { syntheticAnalysis } from "../testing/synthetic-analysis.ts";
import { compilePreview, previewOf } from "./preview-of.ts";

const plan = planShow(syntheticAnalysis({ form: [["drop", 8, 1]] }), { groups: [], seed: 1 });

describe("previewOf", () => {
  it("draws the same text for the same time, whatever was drawn between", () => {
    const { lampsAt } = previewOf(plan, REFERENCE_RIGS[2]!.rig, { width: 1280, height: 720 });
    const first = lampsAt(4);
    expect(lampsAt(4.3)).not.toBe(first);
    expect(lampsAt(4)).toBe(first);
  });

  it("centers the stage, and keeps the rows of light within the picture", () => {
    const size = { width: 1200, height: 600 };
    expect(previewOf(plan, parsRig(1), size).band).toEqual({ top: 142, height: 316 });
    expect(previewOf(plan, parsRig(1), size).backdrop).toContain('viewBox="0 -182 1200 600"');
    expect(previewOf(plan, parsRig(1), size).lampsAt(0)).toContain('height="316" viewBox="0 -40 1200 316"');
    expect(previewOf(plan, parsRig(1), { width: 1200, height: 236 }).band).toEqual({ top: 0, height: 236 });
    expect(previewOf(plan, parsRig(1), { width: 2400, height: 236 }).backdrop).toContain('viewBox="-600 0 2400 236"');
  });

  it("limits the screen to three flashes per second, even if the venue allows four", () => {
    const venue = { ...plan, safety: { ...plan.safety, profile: "venue" as const } };
    expect(compilePreview(venue, parsRig(1)).plan.safety.profile).toBe("default");
  });
});
