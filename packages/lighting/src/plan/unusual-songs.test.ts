import { lightingPlanSchema, SECTION_LABELS, songAnalysisSchema, type SongAnalysis } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { compileShow } from "../compile-show.ts";
import { parsRig, REFERENCE_RIGS } from "../reference-rigs.ts";
import { fixtureStates, renderFrame } from "../render-frame.ts";
import { syntheticAnalysis, type SyntheticSong } from "../testing/synthetic-analysis.ts";
import { planShow } from "./plan-show.ts";

const SHORT_FORM = [
  ["intro", 4, 0.3],
  ["verse", 8, 0.5, 0.8],
  ["build", 4, 0.7],
  ["drop", 8, 1],
  ["outro", 4, 0.2],
] as const satisfies SyntheticSong["form"];
const short = (song: SyntheticSong = {}): SongAnalysis => syntheticAnalysis({ form: SHORT_FORM, ...song });
const heard = short();

const withSections = (change: (section: SongAnalysis["structure"]["sections"][number], i: number) => object) => ({
  ...heard,
  structure: { sections: heard.structure.sections.map((section, i) => ({ ...section, ...change(section, i) })) },
});
const silent: SongAnalysis = {
  ...heard,
  tempo: 0,
  key: "",
  beats: [],
  downbeats: [],
  offbeats: [],
  drop_predictions: [],
  grid: { ...heard.grid, confidence: 0, downbeat_confidence: 0, tempo_curve_bpm: [] },
  structure: { sections: [{ start: 0, end: heard.duration, label: "intro", energy: 0, intensity: 0, confidence: 0 }] },
  dynamics: {
    energy_curve: { hop_seconds: 0.1, values: heard.dynamics.energy_curve.values.map(() => 0) },
    frequency_bands: heard.dynamics.frequency_bands,
    loudness: -70,
  },
};
const noCurve = { hop_seconds: 0.1, values: [] };

const SONGS: Record<string, SongAnalysis> = {
  "without sections": { ...heard, structure: { sections: [] } },
  "of forty sections": syntheticAnalysis({
    form: Array.from({ length: 40 }, (_, i) => [SECTION_LABELS[i % 8]!, 1, (i % 5) / 4] as const),
  }),
  "with equal sections": withSections(() => ({ label: "chorus", energy: 0.5 })),
  "with sections of zero length": withSections((section) => ({ end: section.start })),
  "with sections out of order": { ...heard, structure: { sections: heard.structure.sections.toReversed() } },
  "with sections after its end": withSections((section) => ({ start: section.start + 60, end: section.end + 60 })),
  "with zero confidence in everything": {
    ...withSections(() => ({ confidence: 0 })),
    grid: { ...heard.grid, confidence: 0, downbeat_confidence: 0 },
    drop_predictions: heard.drop_predictions.map((drop) => ({ ...drop, confidence: 0 })),
  },
  "in 3/4": short({ beatsPerBar: 3 }),
  "in 5/4": short({ beatsPerBar: 5 }),
  "in 7/8 at 300 BPM": short({ beatsPerBar: 7, bpm: 300 }),
  "with one beat per bar": short({ beatsPerBar: 1 }),
  "with sixteen beats per bar": short({ beatsPerBar: 16, bpm: 180 }),
  "at 20 BPM": short({ bpm: 20, form: SHORT_FORM.slice(1, 3) }),
  "at 400 BPM": short({ bpm: 400 }),
  "of silence": silent,
  "with one beat": { ...heard, beats: [1], downbeats: [1], offbeats: [] },
  "with beats and no bars": { ...heard, downbeats: [] },
  "with beats and no tempo": { ...heard, tempo: 0 },
  "of a third of a second": { ...silent, duration: 0.3 },
  "without curves": {
    ...heard,
    dynamics: {
      energy_curve: noCurve,
      frequency_bands: { bass: noCurve, low_mid: noCurve, mid: noCurve, high_mid: noCurve, high: noCurve },
      loudness: -10,
    },
    vocals: { presence: noCurve, mean_presence: 0 },
  },
  "with a drop at every beat": {
    ...heard,
    drop_predictions: heard.beats.map((time) => ({ time, confidence: 1, type: "drop", energy: 1 })),
  },
};
const RIGS = {
  "no fixture": { lights: [], groups: [] },
  "one fixture": parsRig(1),
  ...Object.fromEntries(REFERENCE_RIGS.map(({ name, rig }) => [name, rig])),
};
const options = { groups: [], seed: 1 };
const bytes = (show: ReturnType<typeof compileShow>, t: number): string =>
  [...renderFrame(show, t)].map(([universe, slots]) => `${universe}:${slots.join(" ")}`).join();

describe.each(Object.entries(SONGS))("a song %s", (_name, analysis) => {
  const plan = planShow(analysis, options);

  it("and its plan are valid", () => {
    expect(songAnalysisSchema.safeParse(analysis).error).toBeUndefined();
    expect(lightingPlanSchema.safeParse(plan).error).toBeUndefined();
  });

  it("gives the same plan again", () => {
    expect(planShow(JSON.parse(JSON.stringify(analysis)) as SongAnalysis, options)).toEqual(plan);
  });

  it("has cues of positive length within the song, in order on each lane", () => {
    for (const [target, cues] of Object.entries(plan.event_lanes)) {
      for (const [i, cue] of cues.entries()) {
        expect(cue.duration, `${target} ${i}`).toBeGreaterThan(0);
        expect(cue.time + cue.duration, `${target} ${i}`).toBeLessThanOrEqual(analysis.duration + 1e-3);
        if (i > 0) expect(cue.time, `${target} ${i}`).toBeGreaterThanOrEqual(cues[i - 1]!.time);
      }
    }
  });

  it.each(Object.entries(RIGS))(
    "flashes at most three times per second, renders identically twice and ends dark, on %s",
    (_, rig) => {
      const [show, other] = [compileShow(plan, rig), compileShow(plan, rig)];
      expect(show.mostFlashes).toBeLessThanOrEqual(3);
      for (const share of [0.9, 0.1, 0.5]) {
        const t = share * analysis.duration;
        expect(bytes(show, t)).toBe(bytes(other, t));
      }
      expect(Math.max(0, ...fixtureStates(show, analysis.duration + 0.1).map((state) => state.level))).toBe(0);
    },
  );
});

describe("a rig of 500 fixtures", () => {
  const plan = planShow(heard, options);
  const show = compileShow(plan, parsRig(500));

  it("is lit completely, over several universes", () => {
    expect(show.problems).toEqual([]);
    expect(show.universes).toEqual([1, 2, 3]);
    const loud = heard.structure.sections.find((section) => section.label === "drop")!;
    const levels = new Map<number, number>();
    for (let t = loud.start; t < loud.end; t += 0.05)
      for (const { lightId, level } of fixtureStates(show, t))
        levels.set(lightId, Math.max(level, levels.get(lightId) ?? 0));
    expect(levels.size).toBe(500);
    expect(Math.min(...levels.values())).toBeGreaterThan(0.1);
  });

  it("flashes at most three times per second", () => {
    expect(show.mostFlashes).toBeLessThanOrEqual(3);
  });
});

describe("an incomplete rig", () => {
  const plan = planShow(heard, options);
  const rig = parsRig(4);

  it.each([
    ["with disabled fixtures", 0, { ...rig, lights: rig.lights.map((light) => ({ ...light, enabled: false })) }],
    ["with disabled groups", 0, { ...rig, groups: rig.groups.map((group) => ({ ...group, enabled: false })) }],
    ["without groups", 4, { ...rig, groups: [] }],
    ["with groups of deleted fixtures", 0, { lights: [], groups: rig.groups }],
  ])("%s plays on %d fixtures", (_name, lamps, broken) => {
    const show = compileShow(plan, broken);
    expect(fixtureStates(show, 10)).toHaveLength(lamps);
    expect([...renderFrame(show, 10).keys()]).toEqual(broken.lights.some((light) => light.enabled) ? [1] : []);
  });
});
