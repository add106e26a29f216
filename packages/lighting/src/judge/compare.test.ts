import { describe, expect, it } from "vitest";
import { compileShow } from "../compile-show.ts";
import { planShow } from "../plan/plan-show.ts";
import { hashOf } from "../random.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { CLUB_FORM, POP_FORM, syntheticAnalysis } from "../testing/synthetic-analysis.ts";
import { baseline, BASELINES, shifted, stretched } from "../testing/baselines.ts";
import { compareShows, wilson } from "../testing/compare-shows.ts";
import { VOTES } from "./compare.ts";
import { judgePlanOn, judgeSource } from "./judge-plan.ts";
import { measure } from "./measure.ts";
import { adjustedRand, cluster, matches, timesF } from "./statistics.ts";
import { sourceOf, stageOf } from "./stage.ts";
import { truthOfAnalysis } from "./truth.ts";

describe("compareShows", () => {
  const form = (value: number) => measure("M6", "", value, 0.55, 1);
  const rest = (value: number) => measure("M17", "", value, 0.25, 0.7);

  it("gives every family one vote, however many measures it has", () => {
    const ours = [form(0.9), measure("R1", "", 0.9, 0.5, 1), measure("M7", "", 0.9, 0.45, 1), rest(0)];
    const theirs = [form(0.5), measure("R1", "", 0.5, 0.5, 1), measure("M7", "", 0.5, 0.45, 1), rest(0.5)];
    expect(compareShows(ours, theirs)).toEqual({ families: { form: 1, taste: 0 }, share: 0.5, isWon: false });
  });

  it("treats small differences as ties", () => {
    expect(compareShows([form(0.71)], [form(0.7)]).families.form).toBe(0.5);
  });

  it("counts only the distance outside a band", () => {
    expect(compareShows([rest(0.3)], [rest(0.6)]).families.taste).toBe(0.5);
    expect(compareShows([rest(0.3)], [rest(0.9)]).families.taste).toBe(1);
  });

  it("leaves out families that do not apply", () => {
    expect(compareShows([form(0.9), measure("M12", "", undefined, 0.8, 1)], [form(0.2)]).families).toEqual({ form: 1 });
  });

  it("gives no advantage for following loudness more closely than the cap", () => {
    const follow = (value: number) => measure("M4", "", value, 0.3, 0.85);
    expect(compareShows([follow(0.76)], [follow(1)]).families.dynamics).toBe(0.5);
  });

  it("gives no advantage for a static section once its edges are clear", () => {
    const contrast = (octaves: number) => measure("M5", "", octaves, 1.5, 12);
    expect(compareShows([contrast(2.4)], [contrast(4.3)]).families.form).toBe(0.5);
    expect(compareShows([contrast(0.9)], [contrast(4.3)]).families.form).toBe(0);
  });

  it("has a frozen table of votes, because any change to it changes all results", () => {
    expect(hashOf(JSON.stringify(VOTES))).toBe(FROZEN_VOTES);
  });
});

const FROZEN_VOTES = 3328371222;

describe("a plan from correct analysis", () => {
  const stage = stageOf("club", REFERENCE_RIGS[1]!.rig);
  const song = syntheticAnalysis({ bpm: 124, form: CLUB_FORM });
  const other = syntheticAnalysis({ bpm: 96, form: POP_FORM, id: "other", mode: "major" });
  const truth = truthOfAnalysis(song);
  const show = compileShow(planShow(song, { groups: [], seed: 1 }), stage.rig);
  const ours = judgePlanOn(show.plan, truth, stage).verdict.measures;

  it.each(BASELINES.filter((name) => name !== "table"))("beats the %s baseline", (name) => {
    const theirs = judgeSource(baseline(name, stage, song), truth, stage).verdict.measures;
    expect(compareShows(ours, theirs).isWon).toBe(true);
  });

  it("beats its own show shifted in time, and the show of another song", () => {
    const moved = judgeSource(shifted(sourceOf(show), truth.duration, 23), truth, stage).verdict.measures;
    expect(compareShows(ours, moved).isWon).toBe(true);
    const foreign = sourceOf(compileShow(planShow(other, { groups: [], seed: 1 }), stage.rig));
    const theirs = judgeSource(stretched(foreign, other.duration, truth.duration), truth, stage).verdict.measures;
    expect(compareShows(ours, theirs).isWon).toBe(true);
  });
});

describe("baselines", () => {
  const stage = stageOf("club", REFERENCE_RIGS[1]!.rig);
  const song = syntheticAnalysis({ bpm: 174, form: CLUB_FORM });

  it.each(BASELINES)("%s is deterministic and keeps the flash limit", (name) => {
    const judge = () => judgeSource(baseline(name, stage, song), truthOfAnalysis(song), stage).verdict;
    const first = judge();
    expect(judge()).toEqual(first);
    expect(first.gates.find((gate) => gate.id === "M20")!.passed).toBe(true);
  });
});

describe("statistics of looks", () => {
  it("adjusts the pairs that two labelings agree on for chance", () => {
    expect(adjustedRand([0, 0, 1, 1], [5, 5, 3, 3])).toBe(1);
    expect(adjustedRand([0, 1, 0, 1], [0, 0, 1, 1])).toBeCloseTo(-0.5);
    expect(adjustedRand([0, 0, 0, 0], [0, 0, 0, 0])).toBe(0);
  });

  it("matches each true time once", () => {
    expect(matches([1, 1.1, 5], [1.05, 9], 0.5)).toBe(1);
    expect(timesF([1, 5], [1.2, 5.4, 9], 0.5)).toBeCloseTo(0.8);
    expect(timesF([], [1], 1)).toBe(0);
  });

  it.each(["ward", "average"] as const)("clusters close points by %s linkage", (linkage) => {
    const points = [[0], [0.1], [5], [5.1], [9]];
    expect(cluster(points, linkage, (left) => left <= 3)).toEqual([0, 0, 1, 1, 2]);
    expect(cluster([[1]], linkage, () => false)).toEqual([0]);
  });

  it("gives the Wilson interval", () => {
    const { low, high } = wilson(31, 50);
    expect(low).toBeCloseTo(0.48, 2);
    expect(high).toBeCloseTo(0.74, 2);
  });
});
