import { expect, it } from "vitest";
import { planWith } from "../testing/random-plan.ts";
import { COLOR_PAIRS } from "./color-pairs.ts";
import { pairNamed, recolorPlan } from "./recolor-plan.ts";

const cue = (palette: string[]) => ({
  time: 0,
  duration: 4,
  intent: "snap",
  palette,
  params: { level: 1 },
  section: "verse",
  energy: 0.5,
  reason: "test",
});
/** Blue, azure, amber, crimson: base, second, contrast, held. */
const OWN = ["#0000ff", "#0080ff", "#ff9000", "#ff0038"];

function recolored(palette: string[], name = "cyan and magenta"): readonly string[] {
  const plan = { ...planWith({ "role:wash": [cue(palette)] }), palette: OWN };
  return recolorPlan(plan, pairNamed(name)!).event_lanes["role:wash"]![0]!.palette;
}

it("recoloring replaces each color of the show with that of the pair", () => {
  // Magenta, violet, cyan, gold.
  expect(recolored(OWN)).toEqual(["#ff00e0", "#9000ff", "#00f0ff", "#ffc000"]);
});

it("recoloring replaces other colors like the nearest one, and keeps white and pale light", () => {
  expect(recolored(["#ff8a10", "#0505f0"])).toEqual(["#00f0ff", "#ff00e0"]);
  expect(recolored(["#fff4e6", "#ffffff", "#777777", "#000000"])).toEqual(["#fff4e6", "#ffffff", "#777777", "#000000"]);
});

it("recoloring changes nothing but colors and the palette", () => {
  const plan = { ...planWith({ all: [cue([OWN[0]!])] }), palette: OWN };
  const after = recolorPlan(plan, COLOR_PAIRS[0]!);
  expect(after.palette).toEqual(COLOR_PAIRS[0]!.colors);
  expect({ ...after, palette: OWN }).toEqual(plan); // "blue and amber" is already its palette
});

it("finds pairs by their exact names only", () => {
  expect(pairNamed("fire")?.colors[0]).toBe("#ff0000");
  expect([pairNamed("Fire!"), pairNamed(true), pairNamed(undefined)]).toEqual([undefined, undefined, undefined]);
});
