import type { LightingPlan, SectionLabel } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { bindShow } from "../compile-show.ts";
import { setUnlimitedStates } from "../head-states.ts";
import { parsRig } from "../reference-rigs.ts";
import { CLUB_FORM, POP_FORM, syntheticAnalysis } from "../testing/synthetic-analysis.ts";
import { planShow } from "./plan-show.ts";

const SEEDS = [1, 2, 3, 4, 5, 6];
const CLUB = syntheticAnalysis({ bpm: 126, form: CLUB_FORM });
const POP = syntheticAnalysis({ bpm: 100, form: POP_FORM, id: "pop" });
const PLANS = SEEDS.flatMap((seed) => [CLUB, POP].map((song) => planShow(song, { groups: [], seed })));

/** Drive of the moving fixtures over that of the wash, for eight pars, per section of a label. */
function travellingBesideWash(plan: LightingPlan, label: SectionLabel): number[] {
  const show = bindShow(plan, parsRig(8));
  const heads = [...show.headTargets.keys()];
  const wash = heads.filter((h) => show.headTargets[h] === "role:wash");
  const travelling = heads.filter((h) => !wash.includes(h));
  const driveOf = (lamps: readonly number[]) => lamps.reduce((sum, h) => sum + Math.sqrt(show.level[h]!), 0);
  return plan
    .sections!.filter((section) => section.label === label)
    .map(({ start, end }) => {
      const sums = { wash: 0, travelling: 0 };
      for (let t = start + 0.1 * (end - start); t < start + 0.6 * (end - start); t += 0.05) {
        setUnlimitedStates(show, t);
        sums.wash += driveOf(wash);
        sums.travelling += driveOf(travelling);
      }
      return sums.travelling / sums.wash;
    });
}
const all = (label: SectionLabel) => PLANS.flatMap((plan) => travellingBesideWash(plan, label));

describe("sections of a song differ in which fixtures are lit", () => {
  it("an intro has the wash nearly alone, and a verse adds the pars", () => {
    expect(Math.max(...all("intro"))).toBeLessThan(0.3);
    expect(Math.min(...all("verse"))).toBeGreaterThan(0.35);
  });

  it("a build has less wash than tightening pars", () => {
    expect(Math.min(...all("build"))).toBeGreaterThan(1);
  });

  it("an outro has more of the pars than an intro", () => {
    expect(Math.min(...all("outro"))).toBeGreaterThan(Math.max(...all("intro")));
  });
});

it("in a section of falling energy, beams stay lit to the end of the previous section and return a bar later", () => {
  for (const plan of PLANS) {
    const bar = plan.downbeats[1]! - plan.downbeats[0]!;
    const breaks = plan.sections!.filter(({ label }) => label === "break");
    for (const { start } of breaks) {
      const first = plan.event_lanes["role:spot"]!.find(
        ({ time, section }) => section === "break" && time > start - bar,
      );
      expect(first!.time).toBeCloseTo(start + bar, 1);
    }
  }
});
