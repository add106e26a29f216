import type { LightingPlan } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { luminance } from "../color.ts";
import { bindShow } from "../compile-show.ts";
import { setUnlimitedStates } from "../head-states.ts";
import { judgePlanOn } from "../judge/judge-plan.ts";
import { stageOf } from "../judge/stage.ts";
import { truthOfAnalysis } from "../judge/truth.ts";
import { parsRig, REFERENCE_RIGS, rigOf } from "../reference-rigs.ts";
import { CLUB_FORM, POP_FORM, syntheticAnalysis } from "../testing/synthetic-analysis.ts";
import { planShow } from "./plan-show.ts";
import { seenFrom } from "./vocabulary/seen.ts";

const RIGS = [
  { name: "eight pars", rig: parsRig(8) },
  ...REFERENCE_RIGS,
  {
    name: "bars and washes",
    rig: rigOf([
      { id: "wash", type: "wash", model: "generic_rgbw_par", mode: 1, count: 6 },
      { id: "bars", type: "bar", model: "generic_rgb_bar", mode: 1, count: 8 },
    ]),
  },
];
/**
 * A calm song and a driven one, in the colors with least light and in those with most: base, second, contrast, held.
 */
const SONGS = [
  syntheticAnalysis({ bpm: 70, form: POP_FORM, id: "slow", mode: "major" }),
  syntheticAnalysis({ bpm: 126, form: CLUB_FORM }),
];
const DEEP = ["#0000ff", "#5a00ff", "#ff0000", "#9000ff"];
const BRIGHT = ["#ffc000", "#ff9000", "#00f0ff", "#ff00e0"];

describe("quiet sections", () => {
  it.each(RIGS)("are as visible in deep blue as in amber, on $name", ({ name, rig }) => {
    for (const song of SONGS)
      for (const palette of [DEEP, BRIGHT]) {
        const plan = planShow(song, { groups: [], seed: 1, palette });
        const { measures } = judgePlanOn(plan, truthOfAnalysis(song), stageOf(name, rig)).verdict;
        expect(measures.find(({ id }) => id === "E8")!.value).toBeGreaterThan(0.1);
      }
  });

  it("have less than half of the light of loud sections, even in deep blue", () => {
    for (const song of SONGS) {
      const plan = planShow(song, { groups: [], seed: 1, palette: DEEP });
      const light = lightOf(plan, ["intro", "break", "outro"]);
      expect(light).toBeLessThan(0.5 * lightOf(plan, ["chorus", "drop"]));
    }
  });

  it("are not raised in colors that are visible anyway", () => {
    expect(seenFrom("#0000ff")).toBeGreaterThan(0.6);
    expect(seenFrom("#ff9000")).toBeLessThan(0.35);
    expect(seenFrom("#00f0ff")).toBeLessThan(0.3);
    expect(seenFrom("#000000")).toBe(0);
  });
});

/** Mean luminance of eight pars over all sections with the given labels. */
function lightOf(plan: LightingPlan, labels: readonly string[]): number {
  const show = bindShow(plan, parsRig(8));
  const sums = { light: 0, count: 0 };
  for (const { start, end } of plan.sections!.filter((section) => labels.includes(section.label)))
    for (let t = start; t < end; t += 0.1) {
      setUnlimitedStates(show, t);
      for (let h = 0; h < show.headCount; h++)
        sums.light += show.level[h]! * luminance(show.red[h]!, show.green[h]!, show.blue[h]!);
      sums.count++;
    }
  return sums.light / sums.count;
}
