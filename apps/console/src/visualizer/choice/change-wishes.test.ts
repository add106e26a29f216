import { describe, expect, it } from "vitest";
import { NO_WISHES, type Cue, type LightingPlan, type ShowWishes } from "@followspot/contract";
import {
  cueOf,
  DARK,
  fitWishes,
  freeCue,
  isDark,
  keepCue,
  keptAt,
  previewPlan,
  rollSection,
  unrollSection,
  type Changed,
} from "./change-wishes.ts";

const cue = (time: number, duration: number, kept?: true): Cue => ({
  time,
  duration,
  intent: "slow_wave",
  palette: ["#ff0000"],
  params: { level: 0.8 },
  section: "verse",
  energy: 0.5,
  reason: "calm",
  ...(kept && { kept }),
});
// The subset of a plan that these functions read.
const plan = {
  duration: 60,
  sections: [{ label: "verse", start: 0, end: 60, rank: 2 }],
  event_lanes: { "role:par": [cue(0, 10), cue(10, 10), cue(20, 10)] },
} as unknown as LightingPlan;
const second = { target: "role:par", time: 10 };
const wishesOf = (changed: Changed): ShowWishes => {
  if ("problem" in changed) throw new Error(changed.problem);
  return changed.wishes;
};
const kept = wishesOf(keepCue(NO_WISHES, plan, second, cue(10, 10)));
const timesIn = ({ event_lanes }: LightingPlan) =>
  event_lanes["role:par"]!.map(({ time, duration }) => [time, duration]);

describe("a locked cue", () => {
  it("is locked once, without changes, and can be unlocked", () => {
    expect(kept.kept).toEqual([{ target: "role:par", cue: cue(10, 10) }]);
    expect(wishesOf(keepCue(kept, plan, second, cue(10, 10, true))).kept).toEqual(kept.kept);
    expect(freeCue(kept, second)).toEqual(NO_WISHES);
  });

  it("can be moved, and is then found at its new time", () => {
    const moved = wishesOf(keepCue(kept, plan, second, cue(10, 10), { time: 12 }));
    expect(moved.kept).toHaveLength(1);
    expect(cueOf(plan, moved, { ...second, time: 12 })).toEqual(cue(12, 10));
    expect(keptAt(moved, second)).toBeUndefined();
  });

  it("cannot overlap another locked cue of its lane or leave the song", () => {
    const first = { ...second, time: 0 };
    expect(keepCue(kept, plan, first, cue(0, 10), { duration: 11 })).toHaveProperty("problem");
    expect(keepCue(kept, plan, { ...first, target: "role:wash" }, cue(0, 10), { duration: 11 })).toHaveProperty(
      "wishes",
    );
    for (const change of [{ time: -1 }, { time: 55 }, { duration: 0 }, { time: Number.NaN }])
      expect(keepCue(kept, plan, second, cue(10, 10), change)).toHaveProperty("problem");
  });

  it("stays as a dark cue after it was deleted", () => {
    const removed = wishesOf(keepCue(NO_WISHES, plan, second, cue(10, 10), DARK));
    expect(isDark(removed.kept[0]!.cue)).toBe(true);
    expect(isDark(cue(0, 1))).toBe(false);
  });
});

describe("the preview", () => {
  it("is the plan itself while no cue is changed", () => {
    expect(previewPlan(plan, kept, kept)).toBe(plan);
    expect(previewPlan(plan, NO_WISHES, { ...NO_WISHES, mood: "calm" })).toBe(plan);
  });

  it("shows a cue where it was moved, and trims the cues that were planned there", () => {
    const planned = { ...plan, event_lanes: { "role:par": [cue(0, 10), cue(10, 10, true), cue(20, 10)] } };
    const moved = wishesOf(keepCue(kept, plan, second, cue(10, 10), { time: 15 }));
    expect(timesIn(previewPlan(planned, kept, moved))).toEqual([
      [0, 10],
      [15, 10],
      [25, 5],
    ]);
  });
});

describe("settings from before the song was analyzed again", () => {
  it("lose only the sections and cues that the new show has no place for", () => {
    const wide = { ...rollSection(rollSection(kept, 0, 5), 7, 6), mood: "warm" as const };
    const beyond = { target: "role:par", cue: cue(58, 10) };
    const fit = fitWishes({ ...wide, kept: [...kept.kept, beyond] }, plan);
    expect(fit).toEqual({ ...kept, mood: "warm", section_seeds: { "0": 5 } });
    expect(fitWishes(wide, undefined)).toBe(wide);
  });

  it("can reset a section to its original look", () => {
    expect(unrollSection(rollSection(NO_WISHES, 0, 5), 0)).toEqual(NO_WISHES);
  });
});
