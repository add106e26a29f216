import { lightingPlanSchema, type Cue } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { oklchOfHex, hueDistance } from "../color.ts";
import { compileShow } from "../compile-show.ts";
import { judgePlan } from "../judge/judge-plan.ts";
import { parsRig, REFERENCE_RIGS } from "../reference-rigs.ts";
import { fixtureStates } from "../render-frame.ts";
import { CLUB_FORM, POP_FORM, syntheticAnalysis } from "../testing/synthetic-analysis.ts";
import { planShow } from "./plan-show.ts";

const SONGS = {
  club: syntheticAnalysis({ bpm: 128 }),
  pop: syntheticAnalysis({ bpm: 96, form: POP_FORM, mode: "major", id: "pop" }),
  waltz: syntheticAnalysis({ bpm: 150, beatsPerBar: 3, form: POP_FORM, id: "waltz" }),
  fast: syntheticAnalysis({ bpm: 174, id: "fast" }),
  ambient: syntheticAnalysis({ bpm: 80, beatConfidence: 0.1, form: POP_FORM, id: "ambient" }),
};
const options = { groups: [], seed: 1 };
const cuesOf = (lanes: Record<string, Cue[]>) => Object.values(lanes).flat();
const families = (cues: readonly Cue[]) => new Set(cues.map((cue) => cue.intent.split("_").at(-1)));

describe.each(Object.entries(SONGS))("the plan of a %s song", (_name, analysis) => {
  const plan = planShow(analysis, options);

  it("is a valid lighting.json", () => {
    expect(lightingPlanSchema.safeParse(plan).error).toBeUndefined();
  });

  it("is the same for the same song and seed", () => {
    expect(planShow(JSON.parse(JSON.stringify(analysis)) as typeof analysis, options)).toEqual(plan);
  });

  it("gives every cue a reason", () => {
    expect(cuesOf(plan.event_lanes).every((cue) => cue.reason.length > 10)).toBe(true);
  });

  it("has sorted lanes without overlaps", () => {
    for (const lane of Object.values(plan.event_lanes)) {
      for (const [i, cue] of lane.slice(1).entries())
        expect(cue.time).toBeGreaterThanOrEqual(lane[i]!.time + lane[i]!.duration - 2e-4);
    }
  });

  it("ends dark", () => {
    for (const { rig } of REFERENCE_RIGS) {
      expect(Math.max(...fixtureStates(compileShow(plan, rig), analysis.duration + 0.1).map((s) => s.level))).toBe(0);
    }
  });

  it("passes every gate on every reference rig", () => {
    const failed = judgePlan(plan, analysis).rigs.flatMap((rig) =>
      rig.gates.filter((gate) => !gate.passed).map((gate) => `${rig.name} ${gate.id} ${gate.value}`),
    );
    expect(failed).toEqual([]);
  });

  it("lights a rig of one fixture", () => {
    const show = compileShow(plan, parsRig(1));
    const lit = Array.from(
      { length: 100 },
      (_, i) => fixtureStates(show, ((i + 0.5) / 100) * analysis.duration)[0]!.level,
    );
    expect(lit.filter((v) => v > 0.01).length).toBeGreaterThan(80);
  });
});

describe("planShow", () => {
  it("gives all sections of a label the same hue", () => {
    const plan = planShow(SONGS.pop, options);
    const wash = plan.event_lanes["role:wash"]!;
    for (const label of ["verse", "chorus"]) {
      const hues = wash.filter((cue) => cue.section === label).map((cue) => oklchOfHex(cue.palette[0]!).h);
      expect(hues.every((h) => hueDistance(h, hues[0]!) < 1)).toBe(true);
    }
  });

  it("is dark just before a confident drop", () => {
    const plan = planShow(SONGS.club, options);
    const drop = SONGS.club.drop_predictions[0]!.time;
    expect(cuesOf(plan.event_lanes).some((cue) => cue.time < drop - 0.1 && cue.time + cue.duration > drop - 0.1)).toBe(
      false,
    );
  });

  it("stays lit and does not strobe at a doubtful drop", () => {
    const doubtful = syntheticAnalysis({ bpm: 128, dropConfidence: 0.4 });
    const plan = planShow(doubtful, options);
    const drop = doubtful.drop_predictions[0]!.time;
    expect(plan.event_lanes["role:strobe"]).toEqual([]);
    expect(
      plan.event_lanes["role:wash"]!.some((cue) => cue.time < drop - 0.1 && cue.time + cue.duration > drop - 0.1),
    ).toBe(true);
  });

  it.each([
    ["out of near silence", 0.05, true],
    ["out of a verse", 0.6, false],
  ])("goes dark before a drop of medium confidence only if it rises %s", (_name, before, isDark) => {
    const form = [
      ["verse", 16, 0.6],
      ["break", 8, before],
      ["drop", 16, 0.95],
      ["outro", 8, 0.3],
    ] as const;
    const song = syntheticAnalysis({ bpm: 128, form, dropConfidence: 0.5 });
    const { time } = song.drop_predictions[0]!;
    const isLit = cuesOf(planShow(song, options).event_lanes).some(
      (cue) => cue.time < time - 0.1 && cue.time + cue.duration > time - 0.1,
    );
    expect(isLit).toBe(!isDark);
  });

  it("plans no hits without a reliable beat", () => {
    const used = families(cuesOf(planShow(SONGS.ambient, options).event_lanes));
    expect([...used].filter((f) => f === "pulse" || f === "chase" || f === "strobe" || f === "snap")).toEqual([]);
  });

  it("uses steps of one beat or whole bars in a waltz", () => {
    const steps = cuesOf(planShow(SONGS.waltz, options).event_lanes)
      .filter((cue) => cue.intent === "beat_pulse")
      .map((cue) => Number(cue.params["step_beats"]));
    expect(steps.every((step) => step === 1 || step % 3 === 0)).toBe(true);
  });

  it("stays within the flash limit, so that the limiter never acts", () => {
    for (const analysis of Object.values(SONGS))
      expect(planShow(analysis, options).safety.limited_share).toBeLessThan(0.01);
  });

  it("reserves the top level for the drop even if the build before it is louder", () => {
    const form = [
      ["intro", 8, 0.2],
      ["build", 8, 1],
      ["drop", 16, 0.85],
      ["outro", 8, 0.3],
    ] as const;
    const plan = planShow(syntheticAnalysis({ form }), options);
    expect(plan.event_lanes["role:strobe"]!.map((cue) => cue.section)).toEqual(["drop"]);
    expect(plan.event_lanes["role:wash"]!.find((cue) => cue.section === "drop")!.reason).toContain(
      "first drop, among the biggest: dark, then full on the first beat",
    );
  });

  it("plans a different show for a different seed", () => {
    expect(planShow(SONGS.club, { groups: [], seed: 2 }).palette).not.toEqual(planShow(SONGS.club, options).palette);
  });

  it("uses given colors", () => {
    expect(planShow(SONGS.club, { ...options, palette: ["#123456"] }).palette[0]).toBe("#123456");
  });

  it("plans only the roles that a rig has", () => {
    const plan = planShow(SONGS.club, { seed: 1, groups: [{ id: "g", type: "par" }] });
    expect(Object.keys(plan.event_lanes)).toEqual(["role:wash", "role:par", "role:bar"]);
  });

  it("is brighter in louder sections, on every reference rig", () => {
    const plan = planShow(SONGS.club, options);
    const verdict = judgePlan(plan, SONGS.club);
    expect(verdict.rigs.every((rig) => rig.measures.find((m) => m.id === "M8")!.passed)).toBe(true);
  });

  it("accepts a song without any content", () => {
    const empty = {
      ...syntheticAnalysis({ form: CLUB_FORM }),
      duration: 0,
      beats: [],
      downbeats: [],
      offbeats: [],
      drop_predictions: [],
      structure: { sections: [] },
    };
    expect(lightingPlanSchema.safeParse(planShow(empty, options)).success).toBe(true);
  });
});
