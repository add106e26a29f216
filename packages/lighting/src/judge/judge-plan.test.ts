import type { Cue, LightingPlan } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { planShow } from "../plan/plan-show.ts";
import { POP_FORM, syntheticAnalysis } from "../testing/synthetic-analysis.ts";
import { judgePlan } from "./judge-plan.ts";
import { kendall, quantile, spearman } from "./statistics.ts";

const analysis = syntheticAnalysis({ bpm: 120, form: POP_FORM });
const plan = planShow(analysis, { groups: [], seed: 1 });
const changed = (change: (cue: Cue, target: string) => Cue): LightingPlan => ({
  ...plan,
  event_lanes: Object.fromEntries(
    Object.entries(plan.event_lanes).map(([target, cues]) => [target, cues.map((cue) => change(cue, target))]),
  ),
});
const failedGates = (judged: LightingPlan) => [
  ...new Set(
    judgePlan(judged, analysis).rigs.flatMap((rig) => rig.gates.filter((gate) => !gate.passed).map((gate) => gate.id)),
  ),
];

describe("judgePlan", () => {
  it("passes a plan made for the song", () => {
    expect(failedGates(plan)).toEqual([]);
  });

  it("fails a plan with late cues", () => {
    expect(failedGates(changed((cue) => ({ ...cue, time: cue.time + 0.1 })))).toContain("M1");
  });

  it("fails a plan with light between the beats", () => {
    const late = { ...plan, beats: plan.beats.map((t) => t + 0.12) };
    expect(failedGates(late)).toContain("M2");
  });

  it("fails a plan that leaves the singer in the dark", () => {
    const dark = changed((cue) => ({ ...cue, params: { ...cue.params, level: 0, to_level: 0 } }));
    expect(failedGates(dark)).toEqual(expect.arrayContaining(["M12b", "M22"]));
  });

  it("fails a plan with too much strobe", () => {
    const strobing = changed((cue, target) => (target === "role:par" ? { ...cue, intent: "strobe" } : cue));
    expect(failedGates(strobing)).toContain("M19");
  });

  it("fails a plan that does not end", () => {
    const endless = changed((cue, target) => {
      const isLast = target === "role:wash" && plan.event_lanes[target]?.at(-1)?.time === cue.time;
      return isLast ? { ...cue, duration: 60, params: { ...cue.params, to_level: 0.5 } } : cue;
    });
    expect(failedGates({ ...endless, duration: plan.duration + 60 })).toEqual(["M23"]);
  });

  it("fails the dynamics measures of a plan with a single level", () => {
    const flat = changed((cue) => ({ ...cue, intent: "crossfade", palette: ["#ffffff"], params: { level: 0.6 } }));
    const measures = judgePlan(flat, analysis).rigs[0]!.measures;
    expect(measures.filter((m) => m.id === "M9" || m.id === "M10").every((m) => !m.passed)).toBe(true);
  });
});

describe("statistics", () => {
  it("ranks with ties", () => {
    expect(spearman([1, 2, 2, 3], [10, 20, 20, 30])).toBeCloseTo(1);
    expect(spearman([1, 1, 1], [1, 2, 3])).toBe(0);
  });

  it("counts concordant pairs", () => {
    expect(kendall([1, 2, 3], [3, 2, 1])).toBe(-1);
    expect(kendall([1, 2, 3], [1, 3, 2])).toBeCloseTo(1 / 3);
  });

  it("gives quantiles of unsorted values", () => {
    expect(quantile([5, 1, 3], 0.5)).toBe(3);
  });
});
