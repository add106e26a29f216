import { describe, expect, it } from "vitest";
import { NO_WISHES, type Cue, type LightingPlan, type ShowWishes } from "@followspot/contract";
import { type Changed, isDark } from "./change-wishes.ts";
import { copyLook, lookOf, putLook } from "./section-look.ts";

const cue = (time: number, duration: number, intent = "beat_pulse"): Cue => ({
  time,
  duration,
  intent,
  palette: ["#ff0000"],
  params: { level: 0.8 },
  section: "chorus",
  energy: 0.5,
  reason: "planned",
});
const beats = (bpm: number, count: number) => Array.from({ length: count }, (_, i) => (i * 60) / bpm);
const section = (label: string, start: number, end: number) => ({ label, start, end, rank: 3 });
// The subset of a plan that these functions read: 120 BPM, choruses of 16, 16 and 24 beats.
const plan = {
  duration: 60,
  palette: ["#0000ff"],
  beats: beats(120, 120),
  sections: [section("chorus", 8, 16), section("verse", 16, 24), section("chorus", 24, 32), section("chorus", 40, 52)],
  event_lanes: {
    "role:par": [cue(6, 6, "snap"), cue(12, 4), cue(24, 8, "slow_wave"), cue(40, 12, "slow_wave")],
    "role:wash": [cue(8, 2), cue(24, 8, "slow_wave")],
  },
} as unknown as LightingPlan;
const [first, , second] = plan.sections!;

const wishesOf = (changed: Changed): ShowWishes => {
  if ("problem" in changed) throw new Error(changed.problem);
  return changed.wishes;
};
const laneOf = ({ kept }: ShowWishes, target: string) =>
  kept
    .filter((one) => one.target === target)
    .map((one) => [one.cue.time, one.cue.duration, isDark(one.cue) ? "dark" : one.cue.intent])
    .toSorted();

describe("the look of a section", () => {
  it("counts beats from the section's start and is cut off at its edges", () => {
    const look = lookOf(plan, first!);
    expect(look.beats).toBe(16);
    expect(look.cues.map(({ target, at, beats: lasts }) => [target, at, lasts])).toEqual([
      ["role:par", 0, 8],
      ["role:par", 8, 8],
      ["role:wash", 0, 4],
    ]);
  });

  it("is copied to every section with the same label, and is dark where the source section is dark", () => {
    const wishes = wishesOf(copyLook(NO_WISHES, plan, first!));
    expect(laneOf(wishes, "role:par")).toEqual(
      [
        [24, 4, "snap"],
        [28, 4, "beat_pulse"],
        [40, 4, "snap"],
        [44, 4, "beat_pulse"],
        [48, 4, "snap"],
      ].toSorted(),
    );
    // No wash cue was planned in the last chorus, so no dark cue is necessary.
    expect(laneOf(wishes, "role:wash")).toEqual([
      [24, 2, "beat_pulse"],
      [26, 6, "dark"],
      [40, 2, "beat_pulse"],
      [48, 2, "beat_pulse"],
    ]);
  });

  it("follows the beats of another song", () => {
    const slow = { ...plan, beats: beats(60, 120), event_lanes: {}, sections: [section("drop", 10, 26)] };
    const wishes = wishesOf(putLook(NO_WISHES, slow, slow.sections[0]!, lookOf(plan, first!), "put"));
    expect(laneOf(wishes, "role:par")).toEqual([
      [10, 8, "snap"],
      [18, 8, "beat_pulse"],
    ]);
    expect(wishes.kept[0]!.cue).toMatchObject({ section: "drop", reason: "put" });
  });

  it("is stretched slightly to fit a section of nearly the same length", () => {
    const near = { ...plan, event_lanes: {}, sections: [section("chorus", 10, 18.2)] };
    const wishes = wishesOf(putLook(NO_WISHES, near, near.sections[0]!, lookOf(plan, first!), ""));
    expect(laneOf(wishes, "role:par").map(([time]) => time)).toEqual([10, 14.1]);
  });

  it("replaces locked cues in the section, and leaves those that reach into it from before", () => {
    const before: ShowWishes = {
      ...NO_WISHES,
      kept: [
        { target: "role:par", cue: cue(22, 4, "fade") },
        { target: "role:par", cue: cue(27, 2, "fade") },
      ],
    };
    const wishes = wishesOf(putLook(before, plan, second!, lookOf(plan, first!), ""));
    expect(laneOf(wishes, "role:par")).toEqual([
      [22, 4, "fade"],
      [26, 2, "snap"],
      [28, 4, "beat_pulse"],
    ]);
  });

  it("is rejected if the song would have too many locked cues", () => {
    const many = Array.from({ length: 499 }, (_, i) => ({ target: "role:bar", cue: cue(i / 100, 0.005) }));
    expect(putLook({ ...NO_WISHES, kept: many }, plan, second!, lookOf(plan, first!), "")).toHaveProperty("problem");
  });
});
