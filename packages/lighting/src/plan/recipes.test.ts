import { SECTION_LABELS, type Cue } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { randomStream } from "../random.ts";
import { POP_FORM, syntheticAnalysis, type SyntheticSong } from "../testing/synthetic-analysis.ts";
import { LaneWriter, type PlannedRole } from "./lane-writer.ts";
import { writeLook } from "./looks/write-look.ts";
import { readForm } from "./song-form.ts";
import { leadsOf } from "./vocabulary/leads.ts";
import { SINGER_FLOOR, washLevel } from "./vocabulary/levels.ts";
import type { LookContext } from "./vocabulary/look-context.ts";
import { phrasesOf } from "./vocabulary/phrases.ts";
import { put } from "./vocabulary/put-cue.ts";
import { fadeSeconds, pulseStep, strobeHz } from "./vocabulary/tempo.ts";

const ROLES: readonly PlannedRole[] = ["wash", "par", "bar", "spot", "strobe", "effect"];
const palette = { base: "#ff0000", second: "#00ff00", contrast: "#0000ff", white: "#ffffff", reason: "test" };

/** What the recipe of each section of a song sees. */
function contexts(song: SyntheticSong, sings = false): LookContext[] {
  const form = readForm(syntheticAnalysis(song));
  const lanes = new LaneWriter(ROLES, form.clock);
  return form.sections.map((section, i) => ({
    form,
    section,
    next: form.sections[i + 1],
    palette,
    lanes,
    random: randomStream(i),
    sings,
  }));
}
const first = (song: SyntheticSong = {}, sings = false): LookContext => contexts(song, sings)[0]!;

describe("phrases", () => {
  it.each([3, 4, 7])("cover a section of any length once, none shorter than two bars, in bars of %d", (beatsPerBar) => {
    for (let bars = 1; bars <= 70; bars++) {
      const context = first({ beatsPerBar, form: [["verse", bars, 0.5]] });
      const phrases = phrasesOf(context);
      expect(phrases[0]!.from).toBe(context.section.startBeat);
      expect(phrases.at(-1)!.to).toBe(context.section.endBeat);
      phrases.slice(1).forEach((phrase, i) => expect(phrase.from).toBe(phrases[i]!.to));
      const shortest = Math.min(...phrases.map(({ from, to }) => to - from));
      expect(shortest).toBeGreaterThanOrEqual(Math.min(2, bars) * beatsPerBar);
    }
  });
});

describe("the pulse", () => {
  it("hits the whole rig less than three times a second at any tempo, in any bar", () => {
    for (const beatsPerBar of [1, 2, 3, 4, 5, 7])
      for (let bpm = 30; bpm <= 400; bpm += 7)
        for (const wanted of [0.5, 1, 2]) {
          const context = first({ bpm, beatsPerBar, form: [["chorus", 4, 1]] });
          expect(bpm / 60 / pulseStep(context, wanted)).toBeLessThan(3);
        }
  });

  it("is strobed in step with the beat, less than three times a second", () => {
    for (let bpm = 30; bpm <= 700; bpm += 10) {
      const rate = strobeHz(first({ bpm }));
      expect(rate).toBeLessThan(3);
      expect([1, 2, 4, 8]).toContain(Math.round((1000 * bpm) / 60 / rate) / 1000);
    }
  });

  it("fades no longer than eight seconds however slow the song is", () => {
    expect([fadeSeconds(first({ bpm: 120 }), 4), fadeSeconds(first({ bpm: 20 }), 4)]).toEqual([2, 8]);
  });
});

describe("levels", () => {
  it("never leave a singer darker than the floor, nor exceed full", () => {
    expect([washLevel(first({}, true), 0.1), washLevel(first({}, true), 1.3)]).toEqual([SINGER_FLOOR, 1]);
    expect(washLevel(first({}, false), 0.1)).toBe(0.1);
  });

  it("are put as shares of three digits, other numbers as they are meant", () => {
    const context = first();
    const params = { level: 1.23456, to_level: 0.98765, period_beats: 16.00049, band: "mid" };
    put(context, { role: "par", from: 0, to: 8, intent: "reactive", palette: ["#ffffff"], params, reason: "test" });
    const [cue] = context.lanes.lanes()["role:par"]!;
    expect(cue!.params).toEqual({ level: 1, to_level: 0.988, period_beats: 16, band: "mid" });
  });
});

describe("the hue that leads a label", () => {
  it("is the palette's contrast for what the song leads to: its drops, or its choruses where it has none", () => {
    const lead = (label: string, song: SyntheticSong) =>
      leadsOf(contexts(song).find(({ section }) => section.label === label)!)[0];
    expect(lead("drop", {})).toBe(palette.contrast);
    expect(lead("chorus", { form: POP_FORM })).toBe(palette.contrast);
    expect(lead("chorus", { form: [...POP_FORM, ["drop", 8, 1]] })).toBe(palette.second);
  });
});

describe.each(SECTION_LABELS)("the recipe of a %s", (label) => {
  const form = [
    ["verse", 8, 0.4],
    [label, 16, 0.9, 0.7],
    ["verse", 8, 0.5],
  ] as const satisfies SyntheticSong["form"];

  it.each([
    ["sung", true, 0.9],
    ["played", false, 0.9],
    ["without a beat to trust", false, 0.1],
  ])("lights the wash from its first moment to its last, and nothing outside: %s", (_name, sings, beatConfidence) => {
    const context = contexts({ form, beatConfidence }, sings)[1]!;
    writeLook(context);
    const { start, end } = context.section;
    const lanes = context.lanes.lanes();
    const endOf = (cue: Cue) => cue.time + cue.duration;
    for (const cue of Object.values(lanes).flat()) {
      expect(cue.time).toBeGreaterThanOrEqual(start - 1e-3);
      expect(endOf(cue)).toBeLessThanOrEqual(end + 1e-3);
    }
    const wash = lanes["role:wash"]!;
    expect(wash[0]!.time).toBeCloseTo(start, 3);
    expect(endOf(wash.at(-1)!)).toBeCloseTo(end, 3);
    wash.slice(1).forEach((cue, i) => expect(cue.time).toBeCloseTo(endOf(wash[i]!), 2));
    if (sings) expect(lanes["role:spot"]!.length).toBeGreaterThan(0);
  });
});
