import { expect, it } from "vitest";
import type { SongAnalysis } from "@followspot/contract";
import { confidenceWord, gridAdvice } from "./grid-words.ts";

it.each([
  [1, true, "set by hand"],
  [1, false, "sure"],
  [0.8, false, "sure"],
  [0.79, false, "likely"],
  [0.3, false, "unsure"],
  [0, false, "a guess"],
])("calls %d, corrected: %s, %s", (confidence, isDecided, word) => {
  expect(confidenceWord(confidence, isDecided)).toBe(word);
});

it.each([
  [[], 0, 0, "No beat was found"],
  [[1, 2], 0.4, 1, "The beats are uncertain"],
  [[1, 2], 0.9, 0.2, "The first beat of the bar is uncertain"],
  [[1, 2], 0.9, 0.9, ""],
])("advises on %j beats at %d and %d", (beats, confidence, downbeat_confidence, advice) => {
  const analysis = { beats, grid: { confidence, downbeat_confidence } } as unknown as SongAnalysis;
  expect(gridAdvice(analysis).startsWith(advice)).toBe(true);
  expect(gridAdvice(analysis) === "").toBe(advice === "");
});
