import { describe, expect, test } from "vitest";
import { songAnalysisSchema } from "@followspot/contract";
import { analyseSong } from "./analyse-song.ts";
import { addChord, impulses, playBand, RATE, seeded, silence } from "./test-sounds.ts";

const analyse = (left: Float32Array, right = left) =>
  analyseSong({ left, right, sampleRate: RATE }, { songId: "test" });

describe("tempo", () => {
  for (let bpm = 60; bpm <= 200; bpm += 10) {
    test(`an impulse train at ${bpm} BPM returns itself`, () => {
      expect(Math.abs(analyse(impulses(bpm, 20)).tempo / bpm - 1)).toBeLessThan(0.003);
    });
  }

  test("a drifting tempo is followed within 70 ms and not called stable", () => {
    const y = silence(40);
    const random = seeded(7);
    const truth: number[] = [];
    for (let t = 0.5; t < 39; t += 60 / (100 + t / 2)) {
      truth.push(t);
      for (let n = 0; n < 400; n++) y[Math.round(t * RATE) + n]! += 0.5 * (2 * random() - 1) * Math.exp(-n / 120);
    }
    const { beats, grid } = analyse(y);
    const late = truth.filter((t) => t > 5);
    const hits = late.filter((t) => beats.some((b) => Math.abs(b - t) < 0.07));
    expect(hits.length / late.length).toBeGreaterThan(0.95);
    expect(grid.stable).toBe(false);
  });
});

describe("bars", () => {
  test.each([
    { beatsPerBar: 4, bpm: 110 },
    { beatsPerBar: 3, bpm: 140 },
  ])("downbeats of a band in $beatsPerBar at $bpm BPM are found within 70 ms", ({ beatsPerBar, bpm }) => {
    const { y, downbeats } = playBand({ bpm, beatsPerBar, bars: 24 });
    const found = analyse(y);
    const hits = downbeats.filter((t) => found.downbeats.some((d) => Math.abs(d - t) < 0.07));
    expect(found.grid.beats_per_bar).toBe(beatsPerBar);
    expect(hits.length / downbeats.length).toBeGreaterThan(0.9);
  });
});

describe("key", () => {
  const NAMES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
  // I IV V I and i iv V i, by scale degree in semitones.
  const CADENCES = {
    major: [
      [0, 4, 7],
      [5, 9, 12],
      [7, 11, 14],
      [0, 4, 7],
    ],
    minor: [
      [0, 3, 7],
      [5, 8, 12],
      [7, 10, 14],
      [0, 3, 7],
    ],
  };
  for (const scale of ["major", "minor"] as const) {
    test(`all twelve ${scale} keys are named`, () => {
      for (let tonic = 0; tonic < 12; tonic++) {
        const y = silence(6);
        CADENCES[scale].forEach((chord, i) =>
          addChord(
            y,
            i * 1.5,
            1.5,
            chord.map((p) => p + tonic - 6),
            0.1,
          ),
        );
        expect(analyse(y).key).toBe(`${NAMES[(tonic + 6) % 12]} ${scale}`);
      }
    });
  }
});

describe("structure", () => {
  const drums = (bar: number) => (bar < 8 ? 0.15 : bar < 24 ? 1 : bar < 32 ? 0 : 1);
  const bass = (bar: number) => (bar < 8 ? 0 : bar < 24 ? 1 : bar < 32 ? 0 : 1);
  const { y } = playBand({ bpm: 120, beatsPerBar: 4, bars: 48, drums, bass });
  const found = analyse(y);

  test("sections begin where the band comes in and leaves", () => {
    const starts = found.structure.sections.map((s) => s.start);
    for (const at of [16.5, 48.5, 64.5]) {
      expect(starts.some((s) => Math.abs(s - at) < 0.5)).toBe(true);
    }
  });

  test("sections cover the song in order without gaps", () => {
    const { sections } = found.structure;
    expect(sections[0]!.start).toBe(0);
    expect(sections.at(-1)!.end).toBe(found.duration);
    sections.slice(1).forEach((s, i) => expect(s.start).toBe(sections[i]!.end));
  });

  test("the return of the band after the break is a moment of release", () => {
    expect(found.drop_predictions.some((d) => Math.abs(d.time - 64.5) < 0.5)).toBe(true);
  });

  test("the quiet opening is the intro and the passage without drums the break", () => {
    const labelAt = (t: number) => found.structure.sections.find((s) => s.start <= t && t < s.end)!.label;
    expect(labelAt(8)).toBe("intro");
    expect(labelAt(56)).toBe("break");
  });
});

describe("inputs that are no song", () => {
  test("silence has no tempo, beats or key, one section and flat curves", () => {
    const found = analyse(silence(10));
    expect(found).toMatchObject({
      tempo: 0,
      key: "",
      beats: [],
      downbeats: [],
      drop_predictions: [],
    });
    expect(found.structure.sections).toHaveLength(1);
    expect(found.dynamics.loudness).toBe(-70);
    expect(Math.max(...found.dynamics.energy_curve.values, ...found.vocals.presence.values)).toBe(0);
    expect(found.insights.warnings).toContain("silent");
  });

  const random = seeded(3);
  const noise = Float32Array.from({ length: 15 * RATE }, () => 0.4 * random() - 0.2);
  const broken = impulses(120, 8).map((v, n) => (n % 1000 === 0 ? NaN : n % 1777 === 0 ? Infinity : v));
  const inputs: Record<string, [Float32Array, Float32Array?]> = {
    "no samples": [new Float32Array(0)],
    "one sample": [new Float32Array([0.5])],
    "sixteen samples": [new Float32Array(16).fill(0.1)],
    "three seconds": [impulses(120, 3)],
    "white noise": [noise],
    "broken samples": [broken],
    "a constant offset": [impulses(120, 8).map((v) => v + 0.5)],
    "nothing but an offset": [new Float32Array(8 * RATE).fill(0.7)],
  };
  test.each(Object.entries(inputs))("%s give a valid, finite answer", (_, [left, right]) => {
    expect(() => songAnalysisSchema.parse(analyse(left, right))).not.toThrow();
  });

  test("noise is not believed", () => {
    expect(analyse(noise).grid.confidence).toBeLessThan(0.4);
  });

  test("broken samples are named and do not move the tempo", () => {
    const found = analyse(broken);
    expect(found.insights.warnings).toContain("broken_samples");
    expect(Math.abs(found.tempo - 120)).toBeLessThan(0.5);
  });

  test("a song whose channels cancel out is heard like any other", () => {
    const y = impulses(120, 12);
    expect(
      Math.abs(
        analyse(
          y,
          y.map((v) => -v),
        ).tempo - 120,
      ),
    ).toBeLessThan(0.5);
  });
});

test("the same samples give the same JSON", () => {
  const { y } = playBand({ bpm: 97, beatsPerBar: 4, bars: 8 });
  expect(JSON.stringify(analyse(y))).toBe(JSON.stringify(analyse(y)));
});
