import { songAnalysisSchema, type Correction, type SongAnalysis, type SongCorrections } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { anyEdit, song } from "../testing/analysed-song.ts";
import { seeded } from "../testing/test-sounds.ts";
import {
  CORRECTED,
  correctAnalysis,
  correctionsFit,
  fitTaps,
  heardGrid,
  isByHand,
  SET_ASIDE,
} from "./correct-analysis.ts";

const correct = (heard: SongAnalysis, ...edits: Correction[]): SongAnalysis => {
  const corrected = correctAnalysis(heard, { version: 1, heard: heardGrid(heard), edits });
  songAnalysisSchema.parse(corrected); // finite, in range, and valid by the contract
  expect(corrected.beats).toEqual([...new Set(corrected.beats)].sort((a, b) => a - b));
  expect(corrected.downbeats.every((t) => corrected.beats.includes(t))).toBe(true);
  return corrected;
};
const starts = (analysis: SongAnalysis) => analysis.structure.sections.map((s) => s.start);
const labels = (analysis: SongAnalysis) => analysis.structure.sections.map((s) => s.label);
/** Expects each section to end where the next one starts, from 0 to the end of the song. */
const expectWhole = ({ structure, duration }: SongAnalysis) => {
  expect(structure.sections[0]!.start).toBe(0);
  expect(structure.sections.at(-1)!.end).toBe(duration);
  structure.sections.slice(1).forEach((s, i) => expect(s.start).toBe(structure.sections[i]!.end));
};

describe("the measurements of a section", () => {
  const measured = (): SongAnalysis => {
    const heard = song();
    const sections = heard.structure.sections.map((section) => ({
      ...section,
      label_probabilities: { [section.label]: 0.6, verse: 0.4 },
      boundary_strength: 0.5,
    }));
    return { ...heard, structure: { sections } };
  };

  it("drop the label probabilities of a section that the user renamed, and keep those of the others", () => {
    const { sections } = correct(measured(), { kind: "label", at: 40, label: "chorus" }).structure;
    const named = sections.findIndex((s) => s.label === "chorus");
    expect(sections[named]!.label_probabilities).toBeUndefined();
    expect(sections.filter((_, i) => i !== named).every((s) => s.label_probabilities)).toBe(true);
    expect(sections.every((s) => s.boundary_strength === 0.5)).toBe(true);
  });

  it("drop the strength of an edge that the user set", () => {
    const { sections } = correct(measured(), { kind: "split", at: 24 }).structure;
    expect(sections.filter((s) => s.boundary_strength === undefined).map((s) => s.start)).toEqual([24]);
  });
});

describe("correctAnalysis", () => {
  it("returns the analysis unchanged without corrections", () => {
    const heard = song();
    expect(correctAnalysis(heard, null)).toBe(heard);
    expect(correct(heard)).toBe(heard);
  });

  it("doubles the tempo with a beat between every two and bars half as long", () => {
    const heard = song();
    const corrected = correct(heard, { kind: "tempo", factor: "2" });
    expect(corrected.tempo).toBeCloseTo(240, 6);
    expect(corrected.beats).toEqual(Array.from({ length: 255 }, (_, i) => i * 0.25));
    expect(corrected.downbeats).toEqual(corrected.beats.filter((_, i) => i % 4 === 0));
    expect(corrected.offbeats).toHaveLength(254);
    expect(corrected.grid).toMatchObject({ confidence: 1, downbeat_confidence: 0.3, beats_per_bar: 4 });
    expect(corrected.grid.tempo_curve_bpm).toEqual([{ time: 0, bpm: 240 }]);
    expect(corrected.insights.tempo_info).toEqual({ bpm: 240, confidence: 1, stable: true });
    expect(corrected.insights.pattern_reasoning[CORRECTED]).toBe("Tempo 240 BPM.");
    expect([isByHand(corrected, "beats"), isByHand(corrected, "downbeats")]).toEqual([true, false]);
    expect(starts(corrected)).toEqual(starts(heard));
    expectWhole(corrected);
  });

  it("halves the tempo and keeps the beats that begin bars", () => {
    const shifted = correct(song(), { kind: "downbeat", beats: 1 }, { kind: "tempo", factor: "1/2" });
    expect(shifted.beats[0]).toBe(0.5);
    expect(shifted.beats[1]! - shifted.beats[0]!).toBe(1);
    expect(shifted.downbeats[0]).toBe(0.5);
    expect(shifted.downbeats[1]).toBe(4.5);
    expect(shifted.tempo).toBeCloseTo(60, 6);
  });

  it.each([
    ["3/2", 180],
    ["2/3", 80],
  ] as const)("multiplies the tempo by %s", (factor, bpm) => {
    const corrected = correct(song(), { kind: "tempo", factor });
    expect(corrected.tempo).toBeCloseTo(bpm, 1);
    expect(corrected.beats[3]).toBeCloseTo((3 * 60) / bpm, 3);
  });

  it.each([
    ["2", "1/2"],
    ["3/2", "2/3"],
  ] as const)("undoes × %s with × %s, even for a varying tempo", (there, back) => {
    const heard = song((i) => i * 0.5 + i * i * 0.0005, 128, false);
    const corrected = correct(heard, { kind: "tempo", factor: there }, { kind: "tempo", factor: back });
    corrected.beats.forEach((time, i) => expect(time).toBeCloseTo(heard.beats[i]!, 3));
    expect(corrected.downbeats.length).toBe(heard.downbeats.length);
  });

  it("keeps the variation of a tempo that is doubled", () => {
    const heard = song((i) => i * 0.5 + i * i * 0.0005, 128, false);
    const { tempo_curve_bpm } = correct(heard, { kind: "tempo", factor: "2" }).grid;
    expect(tempo_curve_bpm[0]!.bpm).toBeGreaterThan(230);
    expect(tempo_curve_bpm.at(-1)!.bpm).toBeLessThan(tempo_curve_bpm[0]!.bpm - 30);
  });

  it("refuses a tempo that is too slow or too fast to dance to", () => {
    const heard = song();
    const times = Array.from({ length: 5 }, (): Correction => ({ kind: "tempo", factor: "2" }));
    expect(correct(heard, ...times).tempo).toBeCloseTo(240, 6);
  });

  it("moves the first beat of the bar, and with it sections and drops", () => {
    const corrected = correct(song(), { kind: "downbeat", beats: 1 });
    expect(corrected.downbeats).toEqual(song().beats.filter((_, i) => i % 4 === 1));
    expect(corrected.beats).toEqual(song().beats);
    expect(corrected.grid).toMatchObject({ confidence: 0.5, downbeat_confidence: 1 });
    expect(starts(corrected)).toEqual([0, 16.5, 32.5, 48.5]);
    expect(corrected.drop_predictions[0]!.time).toBe(32.5);
    expectWhole(corrected);
    const back = correct(song(), { kind: "downbeat", beats: 1 }, { kind: "downbeat", beats: -1 });
    expect(back.downbeats).toEqual(song().downbeats);
    expect(starts(back)).toEqual(starts(song()));
  });

  it("sets bars of three beats", () => {
    const corrected = correct(song(), { kind: "bar", beats: 3 });
    expect(corrected.downbeats).toEqual(song().beats.filter((_, i) => i % 3 === 0));
    expect(corrected.grid.beats_per_bar).toBe(3);
  });

  it("follows the detected beats if the taps agree with them, and shifts them onto the taps", () => {
    const heard = song((i) => i * 0.5 + i * i * 0.0002, 128, false);
    const between = [20, 21, 22, 23, 24, 25].map(
      (i, n) => (heard.beats[i]! + heard.beats[i + 1]!) / 2 + 0.01 * (n % 2),
    );
    const corrected = correct(heard, { kind: "tap", times: between });
    const at = corrected.beats.findIndex((time) => time > 50);
    const place = heard.beats.findIndex((time) => time > corrected.beats[at]!);
    const share = (corrected.beats[at]! - heard.beats[place - 1]!) / (heard.beats[place]! - heard.beats[place - 1]!);
    expect(share).toBeCloseTo(0.5, 1);
    expect(corrected.grid.confidence).toBe(1);
  });

  it("selects every second beat, as tapped", () => {
    const heard = song();
    const corrected = correct(heard, { kind: "tap", times: [9, 11, 13, 15].map((i) => heard.beats[i]! + 0.02) });
    expect(corrected.tempo).toBeCloseTo(60, 1);
    expect(corrected.beats).toContain(4.5);
    expect(corrected.beats).not.toContain(5);
  });

  it("lays a straight grid if the taps fit no detected beats", () => {
    const period = 60 / 97;
    const times = Array.from({ length: 16 }, (_, i) => 10.1 + i * period);
    const corrected = correct(song(), { kind: "tap", times });
    expect(corrected.tempo).toBeCloseTo(97, 1);
    expect(corrected.grid.stable).toBe(true);
    expect(corrected.beats.at(-1)!).toBeGreaterThan(63);
    for (const tap of times)
      expect(Math.min(...corrected.beats.map((beat) => Math.abs(beat - tap)))).toBeLessThan(0.001);
  });

  it("edits a tapped grid in a song without detected beats", () => {
    const heard: SongAnalysis = { ...song(), beats: [], downbeats: [], offbeats: [], tempo: 0 };
    const tapped: Correction = { kind: "tap", times: [10, 10.5, 11, 11.5] };
    const corrected = correct(heard, tapped, { kind: "tempo", factor: "2" }, { kind: "bar", beats: 3 });
    expect(corrected.tempo).toBeCloseTo(240, 6);
    expect(corrected.grid.beats_per_bar).toBe(3);
    expect(corrected.insights.warnings).not.toContain(SET_ASIDE);
  });

  it("shifts the bars from the first beat in a song without detected bars", () => {
    const corrected = correct({ ...song(), downbeats: [] }, { kind: "downbeat", beats: 1 });
    expect(corrected.downbeats.slice(0, 2)).toEqual([0.5, 2.5]);
  });

  it("creates beats from taps in a song without detected beats", () => {
    const heard: SongAnalysis = { ...song(), beats: [], downbeats: [], offbeats: [], tempo: 0 };
    const corrected = correct(heard, { kind: "tap", times: [10, 10.5, 11, 11.5] });
    expect(corrected.tempo).toBeCloseTo(120, 1);
    expect(corrected.downbeats).toContain(10);
    expect(correct(heard, { kind: "tempo", factor: "2" }).beats).toEqual([]);
  });

  it("moves an edge with its drop, and renames, splits and merges sections", () => {
    const corrected = correct(
      song(),
      { kind: "edge", at: 32, to: 30 },
      { kind: "label", at: 40, label: "chorus" },
      { kind: "split", at: 8 },
      { kind: "merge", at: 48 },
    );
    expect(starts(corrected)).toEqual([0, 8, 16, 30]);
    expect(labels(corrected)).toEqual(["intro", "intro", "build", "chorus"]);
    expect(corrected.drop_predictions).toEqual([{ time: 30, confidence: 1, type: "drop", energy: 1 }]);
    expect(corrected.structure.sections.map((s) => s.confidence)).toEqual([1, 1, 0.4, 1]);
    expectWhole(corrected);
  });

  it("keeps sections separate when bars become longer than them", () => {
    const heard = song();
    const short = correct(heard, { kind: "split", at: 2 }, { kind: "split", at: 4 }, { kind: "tempo", factor: "1/2" });
    expect(starts(short)).toEqual([...new Set(starts(short))].sort((a, b) => a - b));
    expectWhole(short);
  });

  it("ignores edits of edges that do not exist, or that would cross another", () => {
    const heard = song();
    expect(starts(correct(heard, { kind: "edge", at: 16, to: 40 }))).toEqual(starts(heard));
    expect(starts(correct(heard, { kind: "merge", at: 24 }))).toEqual(starts(heard));
    expect(starts(correct(heard, { kind: "split", at: 16 }))).toEqual(starts(heard));
  });

  it("is deterministic and does not modify its input", () => {
    const heard = song();
    const before = JSON.stringify(heard);
    const edits: Correction[] = [
      { kind: "tempo", factor: "2" },
      { kind: "edge", at: 16, to: 20 },
    ];
    expect(correct(heard, ...edits)).toEqual(correct(heard, ...edits));
    expect(JSON.stringify(heard)).toBe(before);
  });
});

describe("any edits of any song", () => {
  const songs: Record<string, SongAnalysis> = {
    steady: song(),
    moving: song((i) => i * 0.5 + i * i * 0.001, 128, false),
    "without beats": { ...song(), beats: [], downbeats: [], offbeats: [], tempo: 0 },
    "of one beat": { ...song(), beats: [1], downbeats: [1], offbeats: [], tempo: 0 },
    "without sections": { ...song(), structure: { sections: [] }, drop_predictions: [] },
    "of no sound": {
      ...song(),
      duration: 0,
      beats: [],
      downbeats: [],
      offbeats: [],
      tempo: 0,
      structure: { sections: [] },
      drop_predictions: [],
    },
  };

  it.each(Object.keys(songs))("keep times in range and sections contiguous (song: %s)", (name) => {
    const heard = songs[name]!;
    for (let seed = 0; seed < 150; seed++) {
      const next = seeded(seed);
      const edits = Array.from({ length: 1 + Math.floor(next() * 8) }, () => anyEdit(next, 70));
      const corrected = correct(heard, ...edits);
      const times = [
        ...corrected.beats,
        ...corrected.downbeats,
        ...corrected.drop_predictions.map((drop) => drop.time),
      ];
      expect(times.every((time) => time >= 0 && time <= heard.duration)).toBe(true);
      if (heard.structure.sections.length > 0) expectWhole(corrected);
      corrected.structure.sections.forEach(({ start, end }) => expect(end).toBeGreaterThan(start));
    }
  });
});

describe("corrections after a new analysis", () => {
  const edits: Correction[] = [
    { kind: "tempo", factor: "2" },
    { kind: "label", at: 20, label: "break" },
  ];
  const made: SongCorrections = { version: 1, heard: heardGrid(song()), edits };

  it("still fit a grid that moved by milliseconds or lost a bar at an end", () => {
    expect(
      correctionsFit(
        song((i) => 0.03 + i * 0.5),
        made,
      ),
    ).toBe(true);
    expect(
      correctionsFit(
        song((i) => i * 0.5, 120),
        made,
      ),
    ).toBe(true);
  });

  it("do not fit bars that moved by half a bar, whatever beat the song ends on", () => {
    for (const count of [124, 125, 126, 127]) {
      const then = song((i) => i * 0.5, count);
      const now = { ...then, downbeats: then.beats.filter((_, i) => i % 4 === 2) };
      expect(correctionsFit(now, { ...made, heard: heardGrid(then) })).toBe(false);
    }
  });

  it("skip edits of the grid if the tempo or the bar moved, and keep those of sections", () => {
    for (const heard of [song((i) => i * 0.25, 256), song((i) => 0.5 + i * 0.5)]) {
      expect(correctionsFit(heard, made)).toBe(false);
      const corrected = correctAnalysis(heard, made);
      expect(corrected.beats).toEqual(heard.beats);
      expect(labels(corrected)).toContain("break");
      expect(corrected.insights.warnings).toContain(SET_ASIDE);
    }
  });
});

describe("fitTaps", () => {
  it("needs four taps and finds their line, even with one omitted", () => {
    expect(fitTaps([1, 1.5, 2])).toBeUndefined();
    expect(fitTaps([2, 2, 2, 2])).toBeUndefined();
    const fit = fitTaps([1, 1.5, 2, 3, 3.5])!;
    expect(fit.bpm).toBeCloseTo(120, 6);
    expect(fit.anchor).toBeCloseTo(1, 6);
  });

  it("is more accurate than the individual taps", () => {
    const taps = Array.from({ length: 12 }, (_, i) => 5 + i * 0.5 + (i % 2 === 0 ? 0.02 : -0.02));
    expect(Math.abs(fitTaps(taps)!.bpm - 120)).toBeLessThan(1);
  });
});
