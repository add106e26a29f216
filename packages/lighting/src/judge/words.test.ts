import { describe, expect, it } from "vitest";
import { planShow } from "../plan/plan-show.ts";
import { CLUB_FORM, POP_FORM, syntheticAnalysis } from "../testing/synthetic-analysis.ts";
import { describeShow, hueName } from "./words.ts";

const club = syntheticAnalysis({ bpm: 124, form: CLUB_FORM });
const pop = syntheticAnalysis({ bpm: 96, form: POP_FORM, id: "pop" });
const plan = planShow(club, { groups: [], seed: 1 });

describe("describeShow", () => {
  it("is deterministic", () => {
    expect(describeShow(plan, club)).toEqual(describeShow(plan, club));
  });

  it("counts the drops that are lit", () => {
    const lines = describeShow(plan, club);
    expect(lines.find((line) => line.id === "drops")).toMatchObject({ text: "Drops 2 of 2.", value: 2, ok: true });
    const dark = { ...plan, event_lanes: {} };
    expect(describeShow(dark, club).find((line) => line.id === "drops")).toMatchObject({
      text: "Drops 0 of 2.",
      ok: false,
    });
  });

  it("leaves out drops in a song without any", () => {
    const quiet = syntheticAnalysis({ form: POP_FORM, dropConfidence: 0.2 });
    expect(describeShow(planShow(quiet, { groups: [], seed: 1 }), quiet).some((line) => line.id === "drops")).toBe(
      false,
    );
  });

  it("puts a failed gate first", () => {
    const late = {
      ...plan,
      event_lanes: Object.fromEntries(
        Object.entries(plan.event_lanes).map(([lane, cues]) => [
          lane,
          cues.map((cue) => ({ ...cue, time: cue.time + 0.1 })),
        ]),
      ),
    };
    expect(describeShow(late, club)[0]).toMatchObject({ id: "M1", ok: false });
  });

  it("detects colors that repeat from song to song", () => {
    expect(describeShow(plan, club, plan).at(-1)).toMatchObject({ text: "Colours like the song before.", ok: false });
    const other = { ...planShow(pop, { groups: [], seed: 1 }), palette: [plan.palette[2]!] };
    expect(describeShow(plan, club, other).at(-1)).toMatchObject({
      text: "Other colours than the song before.",
      ok: true,
    });
  });

  it("gives hues their common names", () => {
    expect([29, 110, 142, 195, 264, 328, 359].map(hueName)).toEqual([
      "red",
      "yellow",
      "green",
      "turquoise",
      "blue",
      "magenta",
      "pink",
    ]);
  });
});
