import { describe, expect, it } from "vitest";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { handLit, sectionOf, type HandLight } from "../testing/hand-lit.ts";
import { CLUB_FORM, LOUD_FORM, syntheticAnalysis } from "../testing/synthetic-analysis.ts";
import { judgeSource } from "./judge-plan.ts";
import { stageOf, type LightSource } from "./stage.ts";
import { truthOfAnalysis } from "./truth.ts";

const truth = truthOfAnalysis(syntheticAnalysis({ form: CLUB_FORM }));
const stage = stageOf("club", REFERENCE_RIGS[1]!.rig);
const bar = truth.downbeats[1]! - truth.downbeats[0]!;

const RED = [1, 0, 0] as const;
const BLUE = [0, 0, 1] as const;
const WHITE = [1, 1, 1] as const;
/** Full red with so much white that its chroma is a little over a third of red's. */
const PINK = [1, 0.4, 0.45] as const;

const isLoud = (t: number) => ["chorus", "drop"].includes(sectionOf(truth, t)?.label ?? "");
const eye = (source: LightSource) => {
  const { measures } = judgeSource(source, truth, stage).verdict;
  return (id: string) => measures.find((one) => one.id === id)?.value;
};
const lit = (at: (t: number, head: number) => HandLight) => eye(handLit(stage, at));

describe("visibility measures", () => {
  it("rate full red or blue as full color and full brightness", () => {
    for (const rgb of [RED, BLUE]) {
      const value = lit(() => ({ level: 1, rgb }));
      expect([value("E1"), value("E2"), value("E3")]).toEqual([1, 0, 1]);
    }
  });

  // kept: Shows | Choruses and drops had the palest light of a song, because white was mixed in for brightness | also
  it("rate white and pink as pale, whatever the quiet sections show", () => {
    for (const rgb of [WHITE, PINK]) {
      const value = lit((t) => ({ level: 1, rgb: isLoud(t) ? rgb : BLUE }));
      expect(value("E1")).toBeLessThan(0.5);
      expect(value("E2")).toBe(1);
    }
  });

  it("weight heads by their brightness", () => {
    const value = lit((_, h) => ({ level: h % 2 === 0 ? 0.9 : 0.3, rgb: h % 2 === 0 ? RED : WHITE }));
    expect(value("E2")).toBeCloseTo(0.25, 1);
  });

  it("allow white front light on a singer", () => {
    const source = handLit(stage, (_, h) => ({ level: 1, rgb: h === 0 ? WHITE : RED }));
    const isSingersLight = Uint8Array.from({ length: stage.headCount }, (_, h) => (h === 0 ? 1 : 0));
    expect(eye(source)("E2")).toBeGreaterThan(0);
    expect(eye({ ...source, isSingersLight })("E2")).toBe(0);
  });

  it("detect a static picture, and fixtures that swap every bar", () => {
    const still = lit(() => ({ level: 0.8, rgb: RED }));
    expect(still("E4")).toBeGreaterThan(8);
    expect(still("E4b")).toBe(0);
    const isOdd = (t: number, h: number) => (Math.floor(t / bar) + h) % 2 === 1;
    const moving = lit((t, h) => ({ level: isOdd(t + 0.001, h) ? 1 : 0.3, rgb: RED }));
    expect(moving("E4")).toBe(1);
    expect(moving("E4b")).toBe(1);
  });

  it("detect static sections of the same loudness, and allow static quiet ones", () => {
    const song = truthOfAnalysis(syntheticAnalysis({ form: LOUD_FORM }));
    const changing = (isStill: (t: number) => boolean) =>
      judgeSource(
        handLit(stage, (t, h) => ({ level: isStill(t) || (Math.floor(t / bar) + h) % 2 === 0 ? 1 : 0.3, rgb: RED })),
        song,
        stage,
      ).verdict.measures.find(({ id }) => id === "E4a")!.value;
    const isIn = (label: string) => (t: number) => sectionOf(song, t)?.label === label;
    expect(changing(isIn("outro"))).toBeGreaterThan(8);
    expect(changing(isIn("chorus"))).toBe(1);
    expect(lit((t) => ({ level: isLoud(t) ? 1 : 0.3, rgb: RED }))("E4a")).toBeUndefined();
  });

  it("rate an amber break as visible, and the same drive in deep blue as barely visible", () => {
    const AMBER = [1, 0.28, 0] as const;
    const quiet = (rgb: readonly [number, number, number], level: number) =>
      lit((t) => (isLoud(t) ? { level: 1, rgb: RED } : { level, rgb }))("E8");
    expect(quiet(AMBER, 0.3)).toBeGreaterThan(0.1);
    expect(quiet(BLUE, 0.3)).toBeLessThan(0.06);
    expect(quiet(BLUE, 0.7)).toBeGreaterThan(0.1);
    // One fixture is enough.
    expect(lit((t, h) => ({ level: isLoud(t) || h === 0 ? 0.5 : 0, rgb: RED }))("E8")).toBeGreaterThan(0.1);
  });

  it("detect accents that never rest", () => {
    const pulsing = (floor: number) =>
      lit((t) => ({ level: Math.floor((4 * t) / bar) % 2 === 0 ? 1 : floor, rgb: RED }))("E7");
    expect(pulsing(0.2)).toBeCloseTo(0.2);
    expect(pulsing(0.9)).toBeCloseTo(0.9);
  });

  it("detect heads that move too fast or jump, only while lit", () => {
    const turning = (degreesPerSecond: number, level: number) => {
      const source = handLit(stage, () => ({ level, rgb: RED }));
      const pan = new Float32Array(stage.headCount);
      const tilt = new Float32Array(stage.headCount);
      // There and back within a quarter of the travel.
      const light = (t: number) => {
        source.light(t);
        const turned = (t * degreesPerSecond) % 270;
        pan.fill((turned < 135 ? turned : 270 - turned) / 540);
      };
      return eye({ ...source, pan, tilt, light });
    };
    expect(turning(180, 1)("E5")).toBe(1);
    expect(turning(230, 1)("E5")).toBeLessThan(0.1);
    expect(turning(400, 0)("E5")).toBeUndefined();
    expect(turning(400, 1)("E6")).toBe(0);
    expect(turning(1500, 1)("E6")).toBeGreaterThan(0);
  });
});
