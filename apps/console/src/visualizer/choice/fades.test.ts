import { expect, test } from "vitest";
import { NO_WISHES, type LightingPlan } from "@followspot/contract";
import { keepFade } from "./fades.ts";

// The subset of a plan that these functions read.
const plan = {
  duration: 60,
  palette: ["#0000ff"],
  sections: [{ label: "verse", start: 0, end: 60, rank: 2 }],
  event_lanes: { "role:par": [{ time: 5, duration: 5, palette: ["#ff0000"] }] },
} as unknown as LightingPlan;
const fade = { target: "role:par", from: 10, to: 14, level: 0.2, toLevel: 1 };

test("a drawn fade goes from level to level in the colors of its lane", () => {
  const changed = keepFade(NO_WISHES, plan, fade);
  expect(changed).toMatchObject({
    wishes: {
      kept: [
        {
          target: "role:par",
          cue: {
            time: 10,
            duration: 4,
            intent: "fade",
            palette: ["#ff0000"],
            params: { level: 0.2, to_level: 1 },
            section: "verse",
          },
        },
      ],
    },
  });
  expect(keepFade(NO_WISHES, plan, { ...fade, target: "role:bar" })).toMatchObject({
    wishes: { kept: [{ cue: { palette: ["#0000ff"] } }] },
  });
});

test("a fade that overlaps a locked cue is rejected", () => {
  const changed = keepFade(NO_WISHES, plan, fade);
  if ("problem" in changed) throw new Error(changed.problem);
  expect(keepFade(changed.wishes, plan, { ...fade, from: 12, to: 16 })).toHaveProperty("problem");
});
