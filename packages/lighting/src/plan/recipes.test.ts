import { SECTION_LABELS, type Cue, type SectionLabel } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { randomStream } from "../random.ts";
import { POP_FORM, syntheticAnalysis, type SyntheticSong } from "../testing/synthetic-analysis.ts";
import { writeBeams } from "./beams/write-beams.ts";
import { LaneWriter, type PlannedRole } from "./lane-writer.ts";
import { writeLook } from "./looks/write-look.ts";
import { rhythmOf } from "./patterns/pattern.ts";
import { readForm } from "./song-form.ts";
import { leadsOf } from "./vocabulary/leads.ts";
import { SINGER_FLOOR } from "./vocabulary/levels.ts";
import type { LookContext } from "./vocabulary/look-context.ts";
import { phrasesOf } from "./vocabulary/phrases.ts";
import { put } from "./vocabulary/put-cue.ts";
import { fadeSeconds, strobeHz } from "./vocabulary/tempo.ts";

const ROLES: readonly PlannedRole[] = ["wash", "par", "bar", "spot", "strobe", "effect"];
const palette = {
  base: "#ff0000",
  second: "#00ff00",
  contrast: "#0000ff",
  held: "#ff00ff",
  white: "#ffffff",
  scheme: "triad",
  reason: "test",
} as const;

/** The context of the recipe of each section of a song. */
function contexts(song: SyntheticSong, sings = false): LookContext[] {
  const form = readForm(syntheticAnalysis(song));
  const lanes = new LaneWriter(ROLES, form.clock);
  return form.sections.map((section, i) => ({
    form,
    section,
    before: form.sections[i - 1],
    next: form.sections[i + 1],
    palette,
    mood: { drive: 0.6, valence: 0 },
    evening: undefined,
    lanes,
    target: 0.5,
    lift: () => 0,
    gain: 1,
    random: randomStream(i),
    styles: { ofLabel: () => randomStream(8) },
    rhythm: { isFourOnTheFloor: false, leading: [] },
    sings,
  }));
}
const first = (song: SyntheticSong = {}, sings = false): LookContext => contexts(song, sings)[0]!;

describe("phrases", () => {
  it.each([3, 4, 7])(
    "cover a section of any length once, none shorter than two bars, in bars of %d beats",
    (beatsPerBar) => {
      for (let bars = 1; bars <= 70; bars++) {
        const context = first({ beatsPerBar, form: [["verse", bars, 0.5]] });
        const phrases = phrasesOf(context);
        expect(phrases[0]!.from).toBe(context.section.startBeat);
        expect(phrases.at(-1)!.to).toBe(context.section.endBeat);
        phrases.slice(1).forEach((phrase, i) => expect(phrase.from).toBe(phrases[i]!.to));
        const shortest = Math.min(...phrases.map(({ from, to }) => to - from));
        expect(shortest).toBeGreaterThanOrEqual(Math.min(2, bars) * beatsPerBar);
      }
    },
  );
});

describe("the rhythm of a pattern", () => {
  it("hits a fixture less than three times per second at any tempo, meter and drive", () => {
    for (const beatsPerBar of [1, 2, 3, 4, 5, 7])
      for (let bpm = 30; bpm <= 400; bpm += 7)
        for (const drive of [0, 0.5, 1]) {
          const context = { ...first({ bpm, beatsPerBar, form: [["chorus", 4, 1]] }), mood: { drive, valence: 0 } };
          expect(bpm / 60 / rhythmOf(context, { cycle: 2 }, 1).step).toBeLessThan(3);
        }
  });

  it("is slower and softer in a calm song", () => {
    const context = first({ bpm: 100, form: [["chorus", 4, 1]] });
    const [calm, wild] = [0.1, 0.9].map((drive) =>
      rhythmOf({ ...context, mood: { drive, valence: 0 } }, { cycle: 2 }, 1),
    );
    expect(calm!.step).toBeGreaterThan(wild!.step);
    expect(calm!.glide).toBeGreaterThan(wild!.glide);
  });

  it("uses whole bars only if the beat is doubtful", () => {
    const context = first({ bpm: 128, beatConfidence: 0.3, form: [["chorus", 8, 1]] });
    expect(rhythmOf(context, { cycle: 2 }, 1).step % 4).toBe(0);
  });

  it("strobes in step with the beat, less than three times per second", () => {
    for (let bpm = 30; bpm <= 700; bpm += 10) {
      const rate = strobeHz(first({ bpm }));
      expect(rate).toBeLessThan(3);
      expect([1, 2, 4, 8]).toContain(Math.round((1000 * bpm) / 60 / rate) / 1000);
    }
  });

  it("fades for at most eight seconds, however slow the song is", () => {
    expect([fadeSeconds(first({ bpm: 120 }), 4), fadeSeconds(first({ bpm: 20 }), 4)]).toEqual([2, 8]);
  });
});

describe("brightness", () => {
  it("changes the dimmer only: the color stays and no white is added", () => {
    for (const color of ["#ff0000", "#0000ff", "#ffb000"]) {
      const context = first();
      put(context, {
        role: "par",
        from: 0,
        to: 8,
        intent: "fade",
        palette: [color],
        params: { level: 0.9 },
        reason: "test",
      });
      expect(context.lanes.lanes()["role:par"]![0]).toMatchObject({ palette: [color], params: { level: 0.9 } });
      expect(context.lanes.lanes()["role:par"]![0]!.params).not.toHaveProperty("white");
    }
  });

  it("keeps the ratio of floor and level when the gain exceeds full", () => {
    const context = { ...first(), gain: 1.7 };
    const params = { level: 0.8, floor: 0.2, to_level: 0.4 };
    put(context, { role: "par", from: 0, to: 8, intent: "pulse", palette: ["#ff0000"], params, reason: "test" });
    expect(context.lanes.lanes()["role:par"]![0]!.params).toEqual({ level: 1, floor: 0.25, to_level: 0.68 });
  });

  it("keeps light on a singer and rounds levels to three digits", () => {
    const context = first({}, true);
    put(context, {
      role: "wash",
      from: 0,
      to: 8,
      intent: "fade",
      palette: ["#ffffff"],
      params: { level: 0.1 },
      reason: "test",
    });
    const params = { level: 0.1234567, period_beats: 16.00049, band: "mid" };
    put(context, { role: "par", from: 0, to: 8, intent: "reactive", palette: ["#ffffff"], params, reason: "test" });
    const lanes = context.lanes.lanes();
    expect(lanes["role:wash"]![0]!.params).toEqual({ level: SINGER_FLOOR });
    expect(lanes["role:par"]![0]!.params).toEqual({ level: 0.123, period_beats: 16, band: "mid" });
  });
});

describe("a section of 32 bars", () => {
  /** Returns the cue of a role in the middle of the first and of the second 16 bars. */
  function halves(label: SectionLabel, role: PlannedRole, sings = false): readonly Cue[] {
    const context = first({ form: [[label, 32, 0.9], ["outro", 4, 0.2], [label, 8, 1]] }, sings); // prettier-ignore
    writeLook(context, 0);
    writeBeams(context);
    const { start, end } = context.section;
    const lane = context.lanes.lanes()[`role:${role}`]!;
    return [0.3, 0.8].map((share) => {
      const at = start + share * (end - start);
      return lane.findLast(({ time, duration }) => time <= at && at < time + duration)!;
    });
  }
  const leads = (cues: readonly Cue[]) => cues.map((cue) => cue.palette![0]);

  it("swaps the colors of wash and accents in a drop, and keeps the lead of every other label", () => {
    expect(leads(halves("drop", "wash"))).toEqual([palette.contrast, palette.base]);
    expect(leads(halves("drop", "par"))).toEqual([palette.base, palette.contrast]);
    expect(leads(halves("chorus", "wash"))).toEqual([palette.contrast, palette.contrast]);
    expect(leads(halves("verse", "wash"))).toEqual([palette.base, palette.base]);
  });

  it("changes the movement of the wash and the aim of the beams in its second half", () => {
    const [wash, washLater] = halves("verse", "wash").map(({ intent, params }) => [intent, params!["direction"]]);
    expect(washLater).not.toEqual(wash);
    const [beams, beamsLater] = halves("break", "spot");
    expect(beamsLater!.params).not.toMatchObject({ aim: beams!.params!["aim"], figure: beams!.params!["figure"] });
  });

  it("keeps the beams in place in sections with vocals", () => {
    const [beams, beamsLater] = halves("verse", "spot", true);
    expect(beamsLater).toBe(beams);
  });
});

describe("the leading hue of a label", () => {
  it("is the contrast of the palette for drops, or for choruses in a song without drops", () => {
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
    ["with vocals", true, 0.9],
    ["instrumental", false, 0.9],
    ["without a reliable beat", false, 0.1],
  ])("lights the wash from its start to its end, and nothing outside: %s", (_name, sings, beatConfidence) => {
    const context = contexts({ form, beatConfidence }, sings)[1]!;
    writeLook(context, 0);
    const { start, end } = context.section;
    const beat = 60 / context.form.bpm; // a fade may begin a beat early, to arrive on the downbeat
    const lanes = context.lanes.lanes();
    const endOf = (cue: Cue) => cue.time + cue.duration;
    for (const cue of Object.values(lanes).flat()) {
      expect(cue.time).toBeGreaterThanOrEqual(start - beat - 1e-3);
      expect(endOf(cue)).toBeLessThanOrEqual(end + 1e-3);
    }
    const wash = lanes["role:wash"]!;
    expect([start, start - beat].some((t) => Math.abs(wash[0]!.time - t) < 1e-3)).toBe(true);
    expect(endOf(wash.at(-1)!)).toBeCloseTo(end, 3);
    wash.slice(1).forEach((cue, i) => expect(cue.time).toBeCloseTo(endOf(wash[i]!), 2));
    if (sings) expect(lanes["role:spot"]!.length).toBeGreaterThan(0);
  });
});
