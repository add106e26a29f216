import type { LightingPlan } from "@followspot/contract";
import { emptyPlan } from "./empty-plan.ts";

/** How long the lamps of an output are lit to see that it works. */
export const OUTPUT_TEST_SECONDS = 2;

/** Every lamp white and full, from the start to the end. */
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
