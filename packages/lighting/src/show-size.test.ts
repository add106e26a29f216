import { expect, it } from "vitest";
import type { Cue } from "@followspot/contract";
import { compileShow } from "./compile-show.ts";
import { setStates } from "./head-states.ts";
import { parsRig } from "./reference-rigs.ts";
import { setMeltedStates, sizeLevels } from "./show-size.ts";
import { planWith } from "./testing/random-plan.ts";

const CUE = { time: 0, duration: 20, palette: ["#ffffff"], section: "verse", energy: 0.5, reason: "test" };
const showOf = (intent: string, params: Cue["params"]) =>
  compileShow(planWith({ all: [{ ...CUE, intent, params }] }), parsRig(4));
const LEVELS = [0, 0.1, 0.5, 1];

function sized(size: number): number[] {
  const show = showOf("fade", { level: 1 });
  setStates(show, 5);
  show.level.set(LEVELS);
  sizeLevels(show, size);
  return [...show.level];
}

it("raises lit heads toward full when bigger, and keeps dark and full ones", () => {
  const bigger = sized(1);
  expect([bigger[0], bigger[3]]).toEqual([0, 1]);
  expect(bigger[1]).toBeCloseTo(0.19);
  expect(bigger[2]).toBeCloseTo(0.75);
});

it("dims all heads by the same factor when calmer, and changes nothing at size zero", () => {
  expect(sized(-1).map((level, i) => LEVELS[i] && level / LEVELS[i])).toEqual([
    0,
    ...[1, 1, 1].map(() => expect.closeTo(0.6)),
  ]);
  expect(sized(0)).toEqual([...Float32Array.from(LEVELS)]);
});

it("darkens strobes in the calmest show", () => {
  const show = showOf("fade", { level: 1 });
  setStates(show, 5);
  show.level.fill(1);
  show.isStrobe[2] = 1;
  sizeLevels(show, -1);
  expect([...show.level].map((level) => level > 0)).toEqual([true, true, false, true]);
});

it("averages the hits of a beat to their mean brightness", () => {
  const show = showOf("pulse", { level: 1, floor: 0, step_beats: 1 });
  const sums = new Float32Array(show.headCount);
  const times = Array.from({ length: 200 }, (_, i) => 5 + i / 100);
  const lightOf = (beats: number) =>
    times.map((t) => {
      setMeltedStates(show, t, beats, sums);
      return show.level[0]!;
    });
  const swing = (levels: number[]) => Math.max(...levels) - Math.min(...levels);
  const mean = (levels: number[]) => levels.reduce((sum, level) => sum + level, 0) / levels.length;
  const [own, melted] = [lightOf(0), lightOf(1)];
  expect(swing(own)).toBeGreaterThan(0.9);
  expect(swing(melted)).toBeLessThan(0.25);
  expect(mean(melted)).toBeCloseTo(mean(own), 1);
});
