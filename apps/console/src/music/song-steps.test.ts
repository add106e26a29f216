import { expect, test } from "vitest";
import { failedStep, songSteps } from "./song-steps.ts";

const states = (...facts: Parameters<typeof songSteps>) =>
  songSteps(...facts).map(({ state, percent }) => `${state} ${percent}`);
const song = { analysisStatus: "pending", lightingStatus: "pending", step: "", percent: 0, audio: "" };

test("fills the current step and those before it", () => {
  expect(states(song)).toEqual(["waiting 0", "waiting 0", "waiting 0"]);
  expect(states({ ...song, step: "download", percent: 40 })).toEqual(["active 40", "waiting 0", "waiting 0"]);
  expect(states({ ...song, audio: "/a.mp3", analysisStatus: "processing", step: "analysis", percent: 7 })).toEqual([
    "done 100",
    "active 7",
    "waiting 0",
  ]);
  expect(
    states({
      ...song,
      audio: "/a.mp3",
      analysisStatus: "ready",
      lightingStatus: "processing",
      step: "lighting",
      percent: 99,
    }),
  ).toEqual(["done 100", "done 100", "active 99"]);
});

test("marks the failed step", () => {
  expect(states({ ...song, analysisStatus: "error" })).toEqual(["failed 0", "waiting 0", "waiting 0"]);
  expect(states({ ...song, audio: "/a.mp3", analysisStatus: "error" })).toEqual(["done 100", "failed 0", "waiting 0"]);
});

test("names the step to retry", () => {
  expect(failedStep({ ...song, analysisStatus: "error" })).toBe("download");
  expect(failedStep({ ...song, audio: "/a.mp3", analysisStatus: "error" })).toBe("analysis");
  expect(failedStep({ ...song, audio: "/a.mp3", analysisStatus: "ready", lightingStatus: "error" })).toBe("lighting");
});
