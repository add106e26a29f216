import { expect, it } from "vitest";
import { planText } from "./plan-text.ts";
import { isBeingPlanned } from "../visualizer.queries.ts";

const heading = { title: "", audio: "audio.mp3", artist: "", step: "", percent: 0, errorMessage: "" };

it.each([
  ["ready", "ready", "", 0, "Saved. The show follows them."],
  ["ready", "processing", "lighting", 40, "Saved. Re-planning… 40 %"],
  ["ready", "pending", "", 0, "Saved. Re-planning…"],
  ["processing", "pending", "analysis", 7, "Saved. Analysing again… 7 %"],
  ["error", "pending", "", 0, "The analysis failed: no room left"],
  ["ready", "error", "", 0, "Planning failed: no room left"],
])("of a song whose analysis is %s and lighting %s, says so", (analysisStatus, lightingStatus, step, percent, text) => {
  const song = { ...heading, analysisStatus, lightingStatus, step, percent, errorMessage: "no room left" };
  expect(planText(song, true)).toBe(text);
});

it("reports no save if nothing was saved", () => {
  const planned = { ...heading, analysisStatus: "ready", lightingStatus: "processing" };
  expect(planText(planned, false)).toBe("Re-planning…");
  expect(planText(undefined, false)).toBe("Nothing is corrected");
});

it("reports no pending show after a failed analysis", () => {
  expect(isBeingPlanned({ ...heading, analysisStatus: "error", lightingStatus: "pending" })).toBe(false);
});
