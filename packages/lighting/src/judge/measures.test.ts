import type { SectionLabel } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { parsRig, REFERENCE_RIGS } from "../reference-rigs.ts";
import { handLit, sectionOf, type HandLight } from "../testing/hand-lit.ts";
import { CLUB_FORM, POP_FORM, syntheticAnalysis } from "../testing/synthetic-analysis.ts";
import { baseline } from "../testing/baselines.ts";
import { judgeSource } from "./judge-plan.ts";
import { stageOf, type LightSource } from "./stage.ts";
import { truthOfAnalysis } from "./truth.ts";

const heard = syntheticAnalysis({ bpm: 120, form: CLUB_FORM });
const truth = truthOfAnalysis(heard);
const stage = stageOf("club", REFERENCE_RIGS[1]!.rig);
const pars = stageOf("8 pars", parsRig(8));
const last = truth.sections.at(-1)!.end;

const measured = (source: LightSource, on = stage, song = truth) => {
  const { verdict } = judgeSource(source, song, on);
  const all = [...verdict.measures, ...verdict.gates];
  return (id: string) => all.find((one) => one.id === id)!.value!;
};

const LOOKS: Record<SectionLabel, HandLight> = {
  intro: { level: 0.25, rgb: [0, 0, 1] },
  verse: { level: 0.5, rgb: [0, 1, 1] },
  build: { level: 0.55, rgb: [1, 0, 1] },
  chorus: { level: 0.8, rgb: [1, 0.5, 0] },
  drop: { level: 1, rgb: [1, 0.8, 0.2] },
  break: { level: 0.2, rgb: [0, 1, 0.4] },
  bridge: { level: 0.4, rgb: [1, 0, 0.2] },
  outro: { level: 0.3, rgb: [0, 0, 1] },
};
/** One look per label, from edge to edge. */
const byLabel = (t: number): HandLight => LOOKS[sectionOf(truth, t)?.label ?? "intro"];
const beatPhase = (t: number, seconds = 0.5) => (((t - 0.2) % seconds) + seconds) % seconds;
const pulse = (t: number, level = 1): HandLight => ({
  level: level * Math.max(0.1, 1 - beatPhase(t) / 0.3),
  rgb: [1, 0.5, 0],
});

describe("the form measures", () => {
  const exact = measured(handLit(stage, byLabel));

  it("are perfect for light that changes exactly at the edges", () => {
    expect(exact("M6a")).toBe(1);
    expect(exact("R1")).toBe(1);
    expect(exact("M7")).toBe(1);
    expect(exact("M5")).toBeGreaterThan(3);
  });

  it("see no edge when the first light comes shortly after the first sound", () => {
    const bright = (t: number) => ({ ...byLabel(t), level: 0.8 });
    const late = measured(handLit(stage, (t) => (t < truth.soundStart + 0.5 ? { level: 0 } : bright(t))));
    expect(late("M6a")).toBe(measured(handLit(stage, bright))("M6a"));
  });

  it("are low for the same light shifted in time", () => {
    const moved = measured(handLit(stage, (t) => byLabel((t + 21.3) % last)));
    expect(moved("M6a")).toBeLessThan(0.3);
    expect(moved("R1")).toBeLessThan(0.3);
    expect(moved("M7")).toBeLessThan(0.4);
  });

  it("find edges within 3 s but not within 0.5 s for light a bar late", () => {
    const late = measured(handLit(stage, (t) => byLabel(t - 2)));
    expect(late("M6b")).toBe(1);
    expect(late("M6a")).toBe(0);
  });

  it("detect the form from color alone", () => {
    const flat = measured(handLit(stage, (t) => ({ ...byLabel(t), level: 0.6 })));
    expect(flat("M6")).toBeGreaterThan(0.6);
    expect(flat("M10")).toBeLessThan(0.5);
  });

  it("are low for a pulser, a random show or one look", () => {
    for (const name of ["pulser", "random", "single"] as const) {
      const value = measured(baseline(name, stage, heard), stage);
      expect(value("M6")).toBeLessThan(0.5);
      expect(value("M7")).toBeLessThan(0.45);
    }
  });

  it("want sections of one label alike but not copied", () => {
    expect(exact("M18a")).toBeGreaterThan(0.98);
    const isFirst = (t: number) => t < last / 2;
    const varied = measured(
      handLit(stage, (t, h) => (stage.zoneOf[h] === 1 && isFirst(t) ? { ...byLabel(t), level: 0 } : byLabel(t))),
    );
    expect(varied("M18a")).toBeLessThan(exact("M18a"));
  });
});

describe("the dynamics measures", () => {
  const exact = measured(handLit(stage, byLabel));

  it("rate a follower best at following loudness", () => {
    const follower = measured(baseline("follower", stage, heard));
    expect(follower("M4")).toBeGreaterThan(0.9);
    expect(Math.abs(measured(baseline("pulser", stage, heard))("M4"))).toBeLessThan(0.3);
  });

  it("are high if sections are ranked like the music", () => {
    expect(exact("M8")).toBeGreaterThan(0.7);
    expect(measured(handLit(stage, (t) => ({ ...byLabel(t), level: 1.2 - byLabel(t).level })))("M8")).toBeLessThan(0);
  });

  it("detect a show that is always on, and one with half the range", () => {
    const loud = measured(handLit(stage, (t) => ({ level: 0.6 + 0.4 * byLabel(t).level })));
    const half = measured(handLit(stage, (t) => ({ level: 0.5 * byLabel(t).level })));
    const full = measured(handLit(stage, (t) => ({ level: byLabel(t).level })));
    expect(loud("M9")).toBeLessThan(full("M9") / 2);
    expect(half("M9")).toBeCloseTo(full("M9"), 1);
    expect(half("M10")).toBeLessThan(0.6 * full("M10"));
    expect(full("E3")).toBe(1);
  });

  it("detect a last chorus that is darker than an earlier one", () => {
    const shrinking = measured(handLit(stage, (t) => ({ level: byLabel(t).level * (t > last / 2 ? 0.7 : 1) })));
    expect(shrinking("R4")).toBeLessThan(-0.1);
    expect(measured(handLit(stage, (t) => ({ level: byLabel(t).level })))("R4")).toBeCloseTo(0);
  });
});

describe("the event measures", () => {
  const [drop] = truth.drops;

  it("reward a drop that comes out of the dark on the beat", () => {
    const isDark = (t: number) => truth.drops.some((at) => t >= at - 0.5 && t < at);
    const value = measured(handLit(stage, (t) => (isDark(t) ? { level: 0 } : { level: byLabel(t).level })));
    expect(value("M11")).toBeGreaterThan(0.4);
    expect(value("M11b")).toBe(1);
    expect(value("M12")).toBe(1);
  });

  it("detect a missed drop", () => {
    const missed = measured(handLit(stage, () => ({ level: 0.7 })));
    expect([missed("M11"), missed("M11b"), missed("M12")]).toEqual([0, 0, 0]);
    expect(drop).toBeGreaterThan(0);
  });

  it("do not mistake the gaps between a pulser's hits for darkness before a drop", () => {
    expect(measured(baseline("pulser", stage, heard))("M12")).toBe(0);
  });

  it("reward a build that rises", () => {
    const builds = truth.sections.filter((section) => section.label === "build");
    const rising = (t: number) => {
      const build = builds.find((section) => section.start <= t && t < section.end);
      return { level: build ? 0.2 + (0.5 * (t - build.start)) / (build.end - build.start) : 0.4 };
    };
    expect(measured(handLit(stage, rising))("M13")).toBeGreaterThan(0.9);
  });

  it("do not apply to a song without drops", () => {
    const pop = truthOfAnalysis(syntheticAnalysis({ form: POP_FORM, dropConfidence: 0.1 }));
    expect(
      measured(
        handLit(stage, () => ({ level: 0.5 })),
        stage,
        pop,
      )("M12"),
    ).toBeUndefined();
  });
});

describe("the taste measures", () => {
  it("find no rest in a pulser, and only rest in one look", () => {
    expect(measured(baseline("pulser", stage, heard))("M17")).toBe(0);
    const single = measured(baseline("single", stage, heard));
    expect([single("M17"), single("M16")]).toEqual([1, 1]);
    expect(single("M17a")).toBeGreaterThan(60);
    expect(single("R6")).toBe(1);
  });

  it("find more hues and looks in a random show than in a table", () => {
    const random = measured(baseline("random", stage, heard));
    const table = measured(baseline("table", stage, heard));
    expect(random("M14")).toBeGreaterThan(table("M14"));
    expect(random("M14b")).toBeGreaterThan(5);
    expect(table("M14b")).toBeLessThanOrEqual(5);
  });

  it("detect light that swings between left and right, and none in unison", () => {
    const swing = handLit(pars, (t, h) => ({ level: (Math.floor(t) % 2 === 0) === pars.places[h]! > 0.5 ? 0.9 : 0.2 }));
    expect(measured(swing, pars)("R5")).toBe(1);
    expect(
      measured(
        handLit(pars, (t) => pulse(t)),
        pars,
      )("R5"),
    ).toBe(0);
  });

  it("count the steps of a chase as onsets although its total light is constant", () => {
    const chase = handLit(pars, (t, h) => ({ level: Math.floor((t - 0.2) / 0.5) % 4 === h % 4 ? 1 : 0 }));
    const value = measured(chase, pars);
    expect(value("R7")).toBeGreaterThan(1.5);
    expect(value("M2")).toBeGreaterThan(0.9);
  });

  it("detect a group that never plays", () => {
    const lopsided = handLit(stage, (t, h) => ({ level: stage.zoneOf[h] === 0 ? 0.7 : 0 }));
    expect(measured(lopsided)("M21")).toBeGreaterThan(0.45);
  });
});

describe("the gates", () => {
  it("detect hits that are 100 ms late", () => {
    const on = measured(handLit(stage, (t) => pulse(t)));
    const late = measured(handLit(stage, (t) => pulse(t - 0.1)));
    expect(on("M2")).toBeGreaterThan(0.9);
    expect(late("M2")).toBeLessThan(0);
  });

  it("detect flashes without a limiter", () => {
    expect(measured(handLit(stage, (t) => ({ level: t % 0.2 < 0.1 ? 1 : 0 })))("M20")).toBe(4);
  });

  it("count strobes per side", () => {
    const strobes = Array.from(stage.isStrobe).flatMap((isStrobe, h) => (isStrobe ? [h] : []));
    // Each twice per second, alternating.
    const inTurn = handLit(stage, (t, h) => ({
      level: strobes.includes(h) && (t + strobes.indexOf(h) * 0.25) % 0.5 < 0.1 ? 1 : 0,
    }));
    expect(measured(inTurn)("M20")).toBe(2);
  });

  it("detect light after the end, and a singer in the dark", () => {
    expect(measured(handLit(stage, () => ({ level: 0.4 })))("M23")).toBeGreaterThan(2);
    expect(measured(handLit(stage, () => ({ level: 0.1 })))("M22")).toBe(0);
  });

  // kept: Shows | A dull show passed every gate | failed with the fault put back
  it("distinguish a dull show from a lively one", () => {
    const { verdict } = judgeSource(baseline("single", stage, heard), truth, stage);
    const dull = verdict.lively.filter((gate) => !gate.passed).map((gate) => gate.id);
    expect(dull).toEqual(expect.arrayContaining(["E3", "E4", "R5", "R6", "M16", "M17", "M17a"]));
  });
});

describe("unusual input", () => {
  const silent = syntheticAnalysis({ form: [["verse", 4, 0]] });
  const zero = { hop_seconds: 0.1, values: [] };
  const nothing = {
    ...silent,
    duration: 0.2,
    beats: [],
    downbeats: [],
    structure: { sections: [] },
    drop_predictions: [],
    dynamics: { ...silent.dynamics, energy_curve: zero },
    vocals: { presence: zero, mean_presence: 0 },
  };

  it.each([
    ["a rig without fixtures", stageOf("none", { lights: [], groups: [] }), heard],
    ["a rig of one fixture", stageOf("one", parsRig(1)), heard],
    ["an empty song", stage, nothing],
  ])("%s gives numbers or undefined, never NaN", (_name, on, analysis) => {
    const song = truthOfAnalysis(analysis);
    for (const source of [
      handLit(on, (t) => pulse(t)),
      baseline("table", on, analysis),
      baseline("follower", on, analysis),
    ]) {
      const { measures, gates } = judgeSource(source, song, on).verdict;
      for (const { id, value } of [...measures, ...gates]) expect(Number.isNaN(value ?? 0), id).toBe(false);
    }
  });
});
