import { describe, expect, it } from "vitest";
import { planShow } from "../../packages/lighting/src/index.ts";
import { syntheticAnalysis } from "../../packages/lighting/src/testing/synthetic-analysis.ts";
import { composeSong } from "../analysis/evaluation-set/compose.ts";
import { STYLES } from "../analysis/evaluation-set/genres.ts";
import { keyFor } from "../analysis/evaluation-set/make-evaluation-set.ts";
import { cuesThatDiffer } from "./board.ts";
import { hear, jittered } from "./hear.ts";
import type { BenchSong } from "./songs.ts";

/** Songs as written, heard as something else altogether: what is told must come from the truth. */
const songs = STYLES.map((style, n): BenchSong => {
  const id = `t${n}`;
  const { truth } = composeSong(style, keyFor(n, 1), id, 1);
  return { id, genre: style.genre, truth, heard: { ...syntheticAnalysis({ id }), duration: truth.duration } };
});

describe("what the planner is told", () => {
  it("is the truth when the truth is asked for", () => {
    for (const song of songs) {
      const told = hear(song, "truth");
      expect(told.structure.sections.map((s) => s.label)).toEqual(song.truth.sections.map((s) => s.label));
      for (const [i, section] of told.structure.sections.entries()) {
        if (i > 0) expect(section.start).toBeCloseTo(song.truth.sections[i]!.start, 3);
      }
      expect(told.drop_predictions).toHaveLength(
        song.truth.sections.filter((s, i) => i > 0 && s.label === "drop").length,
      );
    }
  });

  it("is disturbed by about as much as hearing disturbs it, the same each time", () => {
    let [edges, off, labels, wrong] = [0, 0, 0, 0];
    for (const song of songs) {
      const told = hear(song, "disturb");
      expect(hear(song, "disturb")).toEqual(told);
      for (const [i, { start, label }] of told.structure.sections.entries()) {
        labels++;
        if (label !== song.truth.sections[i]!.label) wrong++;
        if (i === 0) continue;
        edges++;
        if (Math.abs(start - song.truth.sections[i]!.start) > 0.05) off++;
        expect(start).toBeGreaterThan(told.structure.sections[i - 1]!.start);
      }
    }
    expect(off / edges).toBeGreaterThan(0.2);
    expect(off / edges).toBeLessThan(0.4);
    expect(wrong / labels).toBeGreaterThan(0.08);
    expect(wrong / labels).toBeLessThan(0.22);
  });

  it("is what was heard otherwise", () => {
    expect(hear(songs[0]!, "heard")).toBe(songs[0]!.heard);
  });
});

describe("cues that differ", () => {
  const analysis = syntheticAnalysis({ bpm: 124 });
  const plan = planShow(analysis, { groups: [], seed: 1 });

  it("are none between a plan and itself in other colours, all when there are no cues", () => {
    const lanes = Object.entries(plan.event_lanes).map(([lane, cues]) => [
      lane,
      cues.map((cue) => ({ ...cue, palette: ["#123456"] })),
    ]);
    expect(cuesThatDiffer(plan, { ...plan, event_lanes: Object.fromEntries(lanes) })).toBe(0);
    expect(cuesThatDiffer(plan, { ...plan, event_lanes: {} })).toBe(1);
  });

  it("are some when an analysis shakes", () => {
    const shaken = jittered(analysis);
    expect(shaken.beats).not.toEqual(analysis.beats);
    expect(cuesThatDiffer(plan, planShow(shaken, { groups: [], seed: 1 }))).toBeLessThan(0.6);
  });
});
