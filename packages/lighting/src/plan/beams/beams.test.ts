import type { Cue, LightingPlan } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { compileShow } from "../../compile-show.ts";
import { REFERENCE_RIGS } from "../../reference-rigs.ts";
import { fixtureStates } from "../../render-frame.ts";
import { CLUB_FORM, POP_FORM, syntheticAnalysis, type SyntheticSong } from "../../testing/synthetic-analysis.ts";
import { planShow } from "../plan-show.ts";

const planOf = (song: SyntheticSong, seed = 1): LightingPlan => planShow(syntheticAnalysis(song), { groups: [], seed });
const beamsOf = (plan: LightingPlan, section?: string): readonly Cue[] =>
  plan.event_lanes["role:spot"]!.filter((cue) => section === undefined || cue.section === section);
const lookOf = ({ params }: Cue) => `${params["aim"]} ${params["figure"] ?? "still"}`;

/** An evening of fifty songs of both forms, fast and slow. */
const EVENING = Array.from({ length: 50 }, (_, i) =>
  planOf({ id: `song-${i}`, bpm: 70 + ((i * 37) % 130), form: i % 2 === 0 ? CLUB_FORM : POP_FORM }, i),
);

describe("beams", () => {
  // kept: Shows | All moving heads drew the same figure around the same position | failed with the fault put back
  it("use at least six positions and five figures over an evening of fifty songs", () => {
    const cues = EVENING.flatMap((plan) => beamsOf(plan));
    expect(new Set(cues.map(({ params }) => params["aim"])).size).toBeGreaterThanOrEqual(6);
    const figures = cues.flatMap(({ params }) => params["figure"] ?? []);
    expect(new Set(figures).size).toBeGreaterThanOrEqual(5);
  });

  it("change their look at least every eight bars in loud sections", () => {
    for (const plan of EVENING) {
      const bar = (4 * (plan.beats.at(-1)! - plan.beats[0]!)) / (plan.beats.length - 1);
      const loud = beamsOf(plan).filter(({ section }) => section === "drop" || section === "chorus");
      expect(loud.length).toBeGreaterThan(1);
      for (const [i, cue] of loud.entries()) {
        expect(cue.duration / bar).toBeLessThanOrEqual(12.01);
        const next = loud[i + 1];
        if (next && Math.abs(next.time - cue.time - cue.duration) < 0.01) expect(lookOf(next)).not.toBe(lookOf(cue));
      }
    }
  });

  it("of the second drop start with another figure, and are bigger", () => {
    for (let seed = 1; seed <= 6; seed++) {
      const plan = planOf({ form: CLUB_FORM }, seed);
      const drops = plan.sections!.filter(({ label }) => label === "drop");
      const [first, second] = drops.map(({ start }) =>
        beamsOf(plan).find(({ time }) => Math.abs(time - start) < 0.01)!,
      );
      expect(second!.params["figure"]).not.toBe(first!.params["figure"]);
      expect(second!.params["move_range"]).toBeGreaterThan(first!.params["move_range"] as number);
    }
  });

  it("of the last drop alternate with the held color; in sections with vocals white comes last", () => {
    const drop = planOf({ form: CLUB_FORM });
    const last = beamsOf(drop, "drop").at(-1)!;
    expect(last.palette).toEqual([beamsOf(drop, "drop")[0]!.palette[0], drop.palette[3]]);
    expect(last.params["spread"]).toBe("alternate");
    expect(
      beamsOf(planOf({ form: POP_FORM }), "chorus")
        .at(-1)!
        .palette.at(-1),
    ).toBe("#fff4e6");
  });

  it("play call and answer between the halves of the row in choruses", () => {
    const answers = beamsOf(planOf({ form: POP_FORM }), "chorus").filter(({ params }) => params["shape"] === "sides");
    expect(answers.length).toBeGreaterThan(0);
  });

  it("have one slow movement or rest in quiet sections", () => {
    for (const plan of EVENING.slice(0, 12))
      for (const { start, end, label } of plan.sections!) {
        if (label === "drop" || label === "chorus" || label === "build") continue;
        const own = beamsOf(plan).filter(
          ({ time, section, reason }) =>
            // The end of a section before something bigger belongs to the build-up.
            section === label && time > start - 1 && time < end - 1 && !reason.includes("rise towards"),
        );
        expect(own.length).toBeLessThanOrEqual(1);
        for (const { params } of own) expect(Number(params["move_beats"] ?? 32)).toBeGreaterThanOrEqual(16);
      }
  });

  it("have reasons that name position, movement and vocals", () => {
    const reasons = EVENING.flatMap((plan) => beamsOf(plan)).map(({ reason }) => reason);
    expect(reasons.some((reason) => /beams cross over the band, a circle every \d+ beats/.test(reason))).toBe(true);
    expect(reasons.some((reason) => reason.endsWith("stays white on the singer"))).toBe(true);
  });
});

describe("a singer", () => {
  const plan = planOf({ form: POP_FORM });
  const sung = plan.sections!.filter(({ label }) => label === "chorus");

  it("has the pair in the middle of six heads, white and still; the others are beams in color", () => {
    const show = compileShow(plan, REFERENCE_RIGS[2]!.rig);
    const heads = (t: number) => fixtureStates(show, t).filter((_, h) => show.headTargets[h] === "role:spot");
    for (const { start } of sung) {
      const [early, late] = [heads(start + 1), heads(start + 2.3)];
      const isSinger = early.map(({ rgb }) => Math.min(...rgb) > 0.7);
      expect(isSinger).toEqual([false, false, true, true, false, false]);
      for (const [i, { level, pan, tilt }] of early.entries()) {
        if (!isSinger[i]) continue;
        expect(level).toBeGreaterThan(0.3);
        expect([late[i]!.pan, late[i]!.tilt]).toEqual([pan, tilt]);
      }
    }
  });

  it("has both heads of a rig of two", () => {
    const show = compileShow(plan, REFERENCE_RIGS[1]!.rig);
    for (const { start, end } of sung)
      for (let t = start + 0.5; t < end - 2.5; t += 0.5)
        for (const [h, { rgb, level }] of fixtureStates(show, t).entries())
          if (show.headTargets[h] === "role:spot") expect(Math.min(level, ...rgb)).toBeGreaterThan(0.3);
  });
});
