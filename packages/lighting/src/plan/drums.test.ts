import type { SongAnalysis } from "@followspot/contract";
import { describe, expect, test } from "vitest";
import { BeatClock } from "../beat-clock.ts";
import { bindShow } from "../compile-show.ts";
import { setUnlimitedStates } from "../head-states.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { syntheticAnalysis } from "../testing/synthetic-analysis.ts";
import { strokesToLight, tellingDrums } from "./drums.ts";
import { moodOf } from "./mood.ts";
import { planShow } from "./plan-show.ts";

const song = syntheticAnalysis({ bpm: 70, offset: 0.2 });
const clock = new BeatClock(song.beats);
const withDrums = (drums: SongAnalysis["drums"]): SongAnalysis => ({ ...song, drums });
/** Kicks and snares of every bar, in beats of it. */
const groove = (kick: readonly number[], snare: readonly number[]): SongAnalysis => {
  const at = (places: readonly number[]) =>
    song.downbeats
      .flatMap((_, bar) => places.map((place) => clock.timeAt(4 * bar + place)))
      .filter((t) => t < song.duration);
  return withDrums({ kick: at(kick), snare: at(snare), hat: [] });
};

describe("strokes to light", () => {
  test("are on eighths, exactly; fills and ghost notes between them are left out", () => {
    const played = [0, 0.52, 1.28, 2, 3.5].map((beat) => clock.timeAt(beat));
    const { kick } = strokesToLight(withDrums({ kick: played, snare: [], hat: [] }), clock);
    const eighths = [0, 0.5, 2, 3.5].map((beat) => clock.timeAt(beat));
    expect(kick).toHaveLength(eighths.length);
    kick.forEach((t, i) => expect(t).toBeCloseTo(eighths[i]!, 3));
  });

  test("leave more than a third of a second between two, as flashes must", () => {
    const rolling = Array.from({ length: 64 }, (_, i) => clock.timeAt(i / 2));
    const { snare } = strokesToLight(withDrums({ kick: [], snare: rolling, hat: [] }), clock);
    snare.slice(1).forEach((t, i) => expect(t - snare[i]!).toBeGreaterThanOrEqual(0.36));
  });

  test("tell more than the beat only where a drum has a rhythm of its own", () => {
    const inBar = (kick: readonly number[], snare: readonly number[]) =>
      tellingDrums(strokesToLight(groove(kick, snare), clock), 0, song.duration, song.beats.length);
    expect(inBar([0, 1, 2, 3], [])).toEqual([]);
    expect(inBar([0, 2.5], [1, 3])).toEqual(["kick", "snare"]);
    expect(inBar([], [2])).toEqual(["snare"]);
    expect(tellingDrums(strokesToLight(song, clock), 0, song.duration, song.beats.length)).toEqual([]);
  });
});

test("in a chorus or drop lamps hit with a drum that has a rhythm of its own, at its strokes and nowhere else", () => {
  const analysis = groove([0, 2.5], []);
  const plan = planShow(analysis, { groups: [], seed: 1, mood: "wild" });
  const cue = plan.event_lanes["role:bar"]!.find(({ intent }) => intent === "drum_pulse")!;
  expect(cue.reason).toContain("with the kick drum");
  const show = bindShow(plan, REFERENCE_RIGS.at(-1)!.rig);
  const bar = show.headTargets.indexOf("role:bar");
  const levelAt = (t: number) => {
    setUnlimitedStates(show, t);
    return show.level[bar]!;
  };
  const kicks = analysis.drums!.kick.filter((t) => t > cue.time + 0.5 && t < cue.time + cue.duration - 1);
  expect(kicks.length).toBeGreaterThan(2);
  for (const t of kicks) {
    expect(levelAt(t + 0.01)).toBeGreaterThan(levelAt(t - 0.03) + 0.1);
    expect(levelAt(t + 0.3)).toBeLessThan(levelAt(t + 0.01));
  }
});

test("a song that nobody drums to is calmer than the same with drums; where drums are not known nothing changes", () => {
  const drive = (analysis: SongAnalysis) => moodOf(analysis).drive;
  expect(drive(groove([], []))).toBeLessThan(drive(groove([0, 2], [1, 3])));
  expect(drive(song)).toBe(drive(groove([0, 1, 2, 3], [1, 3])));
});
