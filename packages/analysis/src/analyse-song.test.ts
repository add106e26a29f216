import { songAnalysisSchema } from "@followspot/contract";
import { describe, expect, test } from "vitest";
import { analyseSong } from "./analyse-song.ts";
import type { GivenAnswers } from "./basics/given.ts";
import { addChord, addSaw, impulses, playBand, RATE, seeded, silence } from "./testing/test-sounds.ts";

const analyse = (left: Float32Array, right = left) =>
  analyseSong({ left, right, sampleRate: RATE }, { songId: "test" });

/** Returns the impulse of `impulses(bpm)` nearest to a time. */
const nearestImpulse = (t: number, bpm: number) => 0.5 + (Math.round(((t - 0.5) * bpm) / 60) * 60) / bpm;

describe("tempo", () => {
  test("detects the tempo of impulses from 60 to 200 BPM within 0.3 %, and their beats within 12 ms", () => {
    const wrong: string[] = [];
    for (let bpm = 60; bpm <= 200; bpm += 14) {
      const { tempo, beats } = analyse(impulses(bpm, 14));
      const errors = beats.filter((t) => t > 1).map((t) => Math.abs(t - nearestImpulse(t, bpm)));
      const meanError = errors.reduce((sum, e) => sum + e, 0) / errors.length;
      if (!(Math.abs(tempo / bpm - 1) < 0.003) || !(meanError < 0.012)) wrong.push(`${bpm}: ${tempo}`);
    }
    expect(wrong).toEqual([]);
  });

  test("follows both tempos of a song whose tempo changes in the middle", () => {
    const y = silence(60);
    y.set(impulses(96, 30));
    y.set(impulses(128, 30), 30 * RATE);
    const { beats, grid } = analyse(y);
    const bpmBetween = (from: number, to: number) => {
      const own = beats.filter((t) => t > from && t < to);
      return (60 * (own.length - 1)) / (own.at(-1)! - own[0]!);
    };
    expect(Math.abs(bpmBetween(5, 27) - 96)).toBeLessThan(2);
    expect(Math.abs(bpmBetween(34, 58) - 128)).toBeLessThan(2);
    expect(grid.stable).toBe(false);
    expect(grid.tempo_curve_bpm.length).toBeGreaterThan(1);
  });

  test("follows a drifting tempo within 70 ms and does not report it as stable", () => {
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

test("follows a pianist who slows down at the end of every phrase", () => {
  const y = silence(64);
  const random = seeded(3);
  const roots = [0, -3, 5, -5];
  const truth: number[] = [];
  for (let t = 1; t < 62;) {
    const place = (truth.length % 16) / 16;
    const freedom = 0.18 * Math.sin(Math.PI * place) - (place > 0.8 ? 0.35 : 0) + 0.05 * (random() - 0.5);
    const seconds = 60 / (76 * (1 + freedom));
    const beat = truth.length % 4;
    const root = roots[(truth.length >> 2) % 4]!;
    addChord(y, t, seconds, beat === 0 ? [root - 12, root, root + 4, root + 7] : [root + [0, 4, 7, 12][beat]!], 0.1);
    truth.push(t);
    t += seconds;
  }
  const { beats, grid, insights } = analyse(y);
  const late = truth.filter((t) => t > 5);
  const hits = late.filter((t) => beats.some((b) => Math.abs(b - t) < 0.07));
  expect(hits.length / late.length).toBeGreaterThan(0.85);
  expect(insights.pattern_reasoning["tempo"]).toMatch(/BPM, between \d+ and \d+\.$/);
  expect(beats.length).toBeLessThan(1.2 * truth.length);
  expect(grid.stable).toBe(false);
});

describe("bars", () => {
  test.each([
    { beatsPerBar: 4, bpm: 110 },
    { beatsPerBar: 3, bpm: 140 },
  ])("finds downbeats of a band in $beatsPerBar at $bpm BPM within 70 ms", ({ beatsPerBar, bpm }) => {
    const { y, downbeats } = playBand({ bpm, beatsPerBar, bars: 24 });
    const found = analyse(y);
    const hits = downbeats.filter((t) => found.downbeats.some((d) => Math.abs(d - t) < 0.07));
    expect(found.grid.beats_per_bar).toBe(beatsPerBar);
    expect(hits.length / downbeats.length).toBeGreaterThan(0.9);
  });
});

describe("key", () => {
  const NAMES = {
    major: ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"],
    minor: ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"],
  };
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
  const ALL = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  const TUNINGS = [
    { cents: 0, tonics: ALL },
    { cents: -30, tonics: [0, 3, 6, 9] },
    { cents: 30, tonics: [1, 4, 7, 10] },
  ];
  for (const scale of ["major", "minor"] as const) {
    test.each(TUNINGS)(`finds $tonics.length ${scale} keys when tuned $cents cents off`, ({ cents, tonics }) => {
      for (const tonic of tonics) {
        const y = silence(6);
        CADENCES[scale].forEach((chord, i) =>
          addChord(
            y,
            i * 1.5,
            1.5,
            chord.map((p) => p + tonic - 6 + cents / 100),
            0.1,
          ),
        );
        expect(analyse(y).key).toBe(`${NAMES[scale][(tonic + 6) % 12]} ${scale}`);
      }
    });
  }

  test("finds a minor key over a sawtooth bass, whose fifth harmonics are major thirds", () => {
    for (const tonic of [0, 2, 5, 7, 10]) {
      const y = silence(8);
      for (let bar = 0; bar < 4; bar++) {
        addChord(y, 2 * bar, 2, [tonic, tonic + 3, tonic + 7], 0.03);
        addSaw(y, 2 * bar, 2, tonic - 24, 0.2);
      }
      expect(analyse(y).key).toBe(`${NAMES.minor[tonic]} minor`);
    }
  });
});

describe("structure", () => {
  const drums = (bar: number) => (bar < 8 ? 0.15 : bar < 24 ? 1 : bar < 32 ? 0 : 1);
  const bass = (bar: number) => (bar < 8 ? 0 : bar < 24 ? 1 : bar < 32 ? 0 : 1);
  const { y } = playBand({ bpm: 120, beatsPerBar: 4, bars: 48, drums, bass });
  const found = analyse(y);

  test("starts sections where the band enters and stops", () => {
    const starts = found.structure.sections.map((s) => s.start);
    for (const at of [16.5, 48.5, 64.5]) {
      expect(starts.some((s) => Math.abs(s - at) < 0.5)).toBe(true);
    }
  });

  test("covers the song with sections in order, without gaps", () => {
    const { sections } = found.structure;
    // The band begins at 0.5 s.
    expect(sections[0]!.start).toBeCloseTo(0.5, 1);
    expect(sections.at(-1)!.end).toBeGreaterThan(found.duration - 1);
    expect(sections.at(-1)!.end).toBeLessThanOrEqual(found.duration);
    sections.slice(1).forEach((s, i) => expect(s.start).toBe(sections[i]!.end));
  });

  test("finds a drop where the band enters and where it returns after the break", () => {
    const [entry, back, ...others] = found.drop_predictions.map((d) => d.time);
    expect(Math.abs(entry! - 16.5)).toBeLessThan(0.5);
    expect(Math.abs(back! - 64.5)).toBeLessThan(0.5);
    expect(others).toEqual([]);
    expect(found.insights.pattern_reasoning["drops"]).toBe("2 moments of release.");
  });

  test("finds kicks on the grid, and none where the band has no drums", () => {
    const { kick } = found.drums!;
    expect(kick.length).toBeGreaterThan(10); // a bare tone is rarely mistaken for a drum
    expect(kick.filter((t) => t > 48.6 && t < 64.4)).toEqual([]);
    for (const t of kick) expect(Math.abs(t - 0.5 - 0.5 * Math.round((t - 0.5) / 0.5))).toBeLessThan(0.03);
  });

  test("labels the quiet opening as intro and the passage without drums as break", () => {
    const labelAt = (t: number) => found.structure.sections.find((s) => s.start <= t && t < s.end)!.label;
    expect(labelAt(8)).toBe("intro");
    expect(labelAt(56)).toBe("break");
  });

  test("stores with every section the probability of its label and the strength of its start", () => {
    for (const { label, confidence, label_probabilities, boundary_strength } of found.structure.sections) {
      expect(label_probabilities![label]).toBe(confidence);
      const sum = Object.values(label_probabilities!).reduce((a, b) => a + b, 0);
      expect(Math.abs(sum - 1)).toBeLessThan(0.05);
      expect(boundary_strength).toBeGreaterThanOrEqual(0);
    }
  });

  test("accepts an analysis without both fields", () => {
    const newer = ["label_probabilities", "boundary_strength"];
    const sections = found.structure.sections.map((section) =>
      Object.fromEntries(Object.entries(section).filter(([name]) => !newer.includes(name))),
    );
    expect(songAnalysisSchema.parse({ ...found, structure: { sections } }).structure.sections).toEqual(sections);
  });
});

function drone(seconds: number): Float32Array {
  const y = silence(seconds);
  addChord(y, 0, seconds, [0, 7, 12], 0.2);
  return y;
}

describe("inputs that are not songs", () => {
  test("returns no tempo, beats or key, one section and flat curves for silence", () => {
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
    "a clipped band": [playBand({ bpm: 120, beatsPerBar: 4, bars: 4 }).y.map((v) => Math.max(-1, Math.min(1, 20 * v)))],
    "five beats to a bar": [playBand({ bpm: 130, beatsPerBar: 5, bars: 8 }).y],
    "a minute of one chord": [drone(60)],
  };
  test.each(Object.entries(inputs))("returns a valid, finite result for %s", (_, [left, right]) => {
    expect(() => songAnalysisSchema.parse(analyse(left, right))).not.toThrow();
  });

  test("has low confidence in the beat of a drone", () => {
    expect(analyse(drone(30)).grid.confidence).toBeLessThan(0.3);
  });

  test("has low confidence in the beat of noise", () => {
    expect(analyse(noise).grid.confidence).toBeLessThan(0.4);
  });

  test("reports invalid samples without a change of tempo", () => {
    const found = analyse(broken);
    expect(found.insights.warnings).toContain("broken_samples");
    expect(Math.abs(found.tempo - 120)).toBeLessThan(0.5);
  });

  test("analyzes a song whose channels cancel out like any other", () => {
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

describe("results of another engine", () => {
  const y = impulses(120, 12);
  const by = { engine: "a metronome", version: "1" };
  const beats = Array.from({ length: 12 }, (_, i) => i);
  const ask = (given: GivenAnswers) => analyseSong({ left: y, right: y, sampleRate: RATE }, { songId: "test", given });

  test("replace the built-in beats and bars, and the engine is named", () => {
    const found = ask({ beats: { by, confidence: 0.7, beats, downbeats: [1, 4, 7, 10] } });
    expect(found.beats).toEqual(beats);
    expect(found.downbeats).toEqual([1, 4, 7, 10]);
    expect(found.grid).toMatchObject({ beats_per_bar: 3, confidence: 0.7 });
    expect(found.tempo).toBe(60);
    expect(found.insights.engines["beats"]).toEqual(by);
    expect(found.insights.engines["key"]!.engine).toBe("followspot");
  });

  test("without bars are combined with built-in bars on their beats", () => {
    const found = ask({ beats: { by, confidence: 0.7, beats, downbeats: [] } });
    expect(found.beats).toEqual(beats);
    expect(found.downbeats.every((t) => beats.includes(t))).toBe(true);
    expect(found.downbeats.length).toBeGreaterThan(1);
  });

  test("replace the built-in genre and instruments", () => {
    const instruments = [{ name: "kazoo", confidence: 0.9, stems: ["other"] }];
    const found = ask({ tags: { by, genres: [{ name: "polka", confidence: 0.8 }], instruments } });
    expect(found.insights.genre_analysis).toMatchObject({ primary_genre: "polka", confidence: 0.8 });
    expect(found.insights.instrument_detection.instruments).toEqual(instruments);
    expect(found.insights.engines["tags"]).toEqual(by);
  });

  test("are explained if they were refused", () => {
    const found = ask({ refused: { beats: "The engine hung. The built-in engine was used." } });
    expect(found.insights.pattern_reasoning["beats"]).toContain("hung");
    expect(found.insights.engines["beats"]!.engine).toBe("followspot");
  });
});

test("returns the same JSON for the same samples", () => {
  const { y } = playBand({ bpm: 97, beatsPerBar: 4, bars: 8 });
  expect(JSON.stringify(analyse(y))).toBe(JSON.stringify(analyse(y)));
});
