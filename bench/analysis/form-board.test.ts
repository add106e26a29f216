import { expect, test } from "vitest";
import { playPassages } from "../../packages/analysis/src/testing/test-bars.ts";
import { judgeForm, labelsRight, plainLabel } from "./form-board.ts";
import type { Song } from "./songs.ts";

const part = (start: number, end: number, label: string) => ({ start, end, label });

test("labels are right for the share of the time in which ours is the truth's", () => {
  const truth = [part(1, 5, "intro"), part(5, 13, "verse"), part(13, 21, "chorus")];
  expect(labelsRight(truth, truth)).toBe(1);
  expect(labelsRight([part(0, 9, "intro"), part(9, 30, "chorus")], truth)).toBe((4 + 8) / 20);
  expect(labelsRight([], truth)).toBe(0);
  expect(labelsRight([part(0, 30, "verse")], [])).toBe(1);
});

test("names the product has no word for count as what the lights would do", () => {
  expect(["Solo", "pre-chorus", "breakdown", "coda", "Verse"].map(plainLabel)).toEqual([
    "bridge",
    "build",
    "break",
    "outro",
    "verse",
  ]);
  expect(labelsRight([part(0, 10, "bridge")], [part(0, 10, "solo")])).toBe(1);
});

test("a section is right where its label sounds longest, and drops count within half a second", () => {
  const bars = playPassages([
    { bars: 4, energy: 0.2, tune: 1 },
    { bars: 8, energy: 1, tune: 2 },
  ]);
  const section = { confidence: 1, dropBegins: 0, probabilities: { intro: 0.8, drop: 0.6 } };
  const form = {
    sections: [
      { ...section, from: 0, to: 5, label: "intro" },
      { ...section, from: 5, to: 12, label: "drop" },
    ],
    drops: [
      { bar: 4, type: "drop", confidence: 1 },
      { bar: 9, type: "bass_drop", confidence: 1 },
    ],
  } as unknown as Parameters<typeof judgeForm>[1]["form"];
  const song = {
    sections: [part(0, 8, "intro"), part(8, 24, "drop")],
    drops: [8.3],
  } as unknown as Song;
  const judged = judgeForm(song, { form, bars });
  expect(judged.labels).toBeCloseTo((8 + 14) / 24);
  expect(judged.reachable).toBeCloseTo((8 + 14) / 24);
  expect(judged.drops).toBe(1);
  expect(judged.claims.map((c) => [c.confidence, c.isRight])).toEqual([
    [0.8, true],
    [0.6, true],
  ]);
  expect([...judged.mistaken]).toEqual([["drop as intro", 2]]);
});
