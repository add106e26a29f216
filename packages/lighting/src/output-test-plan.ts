import type { LightingPlan } from "@followspot/contract";
import { emptyPlan } from "./empty-plan.ts";

/** Time for which the fixtures of an output are lit in its test, seconds. */
export const OUTPUT_TEST_SECONDS = 2;

/** Creates a plan in which every fixture is white at full from start to end. */
export function outputTestPlan(): LightingPlan {
  const palette = ["#ffffff"];
  const cue = { time: 0, duration: OUTPUT_TEST_SECONDS, intent: "snap", palette, params: { level: 1, white: 1 } };
  const plan = emptyPlan([]);
  return {
    ...plan,
    duration: OUTPUT_TEST_SECONDS,
    event_lanes: { all: [{ ...cue, section: "test", energy: 1, reason: "Light to see an output by" }] },
  };
}
