import { SECTION_LABELS, type Correction, type Section, type SongAnalysis } from "@followspot/contract";
import { round } from "../basics/maths.ts";

const curve = { hop_seconds: 0.5, values: Array.from({ length: 128 }, (_, i) => (i % 4) / 4) };

/** Returns a song whose beats are at `beatAt(i)`, 4/4 from beat 0, with sections of eight bars. */
export function song(beatAt: (i: number) => number = (i) => i * 0.5, count = 128, isStable = true): SongAnalysis {
  const beats = Array.from({ length: count }, (_, i) => beatAt(i));
  const duration = beatAt(count);
  const section = (from: number, to: number, label: "intro" | "build" | "drop" | "outro") => ({
    start: from === 0 ? 0 : beatAt(from),
    end: to === count ? duration : beatAt(to),
    label,
    energy: from / count,
    intensity: 0.5,
    confidence: 0.4,
  });
  return {
    version: 1,
    song_id: "s",
    duration,
    tempo: 60 / (beatAt(1) - beatAt(0)),
    key: "A minor",
    beats,
    downbeats: beats.filter((_, i) => i % 4 === 0),
    offbeats: beats.slice(1).map((t, i) => (t + beats[i]!) / 2),
    grid: {
      beats_per_bar: 4,
      tempo_curve_bpm: [{ time: 0, bpm: 120 }],
      confidence: 0.5,
      downbeat_confidence: 0.3,
      stable: isStable,
      swing: 0.5,
    },
    stems: { drums: "", bass: "", vocals: "", other: "" },
    dynamics: {
      energy_curve: curve,
      frequency_bands: { bass: curve, low_mid: curve, mid: curve, high_mid: curve, high: curve },
      loudness: -9,
    },
    waveform: curve,
    vocals: { presence: curve, mean_presence: 0.4 },
    structure: {
      sections: [
        section(0, 32, "intro"),
        section(32, 64, "build"),
        section(64, 96, "drop"),
        section(96, count, "outro"),
      ],
    },
    drop_predictions: [{ time: beatAt(64), confidence: 0.7, type: "drop", energy: 1 }],
    insights: {
      genre_analysis: { primary_genre: "", sub_genres: [], confidence: 0, characteristics: {} },
      instrument_detection: { instruments: [], confidence: 0 },
      key_info: { key: "A", mode: "minor", confidence: 1 },
      tempo_info: { bpm: 120, confidence: 0.5, stable: isStable },
      pattern_reasoning: { tempo: "128 beats" },
      warnings: [],
      engines: {},
    },
  };
}

const pick = <T>(items: readonly T[], next: () => number): T => items[Math.floor(next() * items.length)]!;

const EDITS: { readonly [Kind in Correction["kind"]]: (next: () => number, seconds: number) => Correction } = {
  tempo: (next) => ({ kind: "tempo", factor: pick(["2", "1/2", "3/2", "2/3"], next) }),
  downbeat: (next) => ({ kind: "downbeat", beats: Math.floor(next() * 33) - 16 }),
  bar: (next) => ({ kind: "bar", beats: 1 + Math.floor(next() * 16) }),
  tap: (next, seconds) => {
    const at = next() * seconds;
    const times = Array.from({ length: 4 + Math.floor(next() * 8) }, (_, i) => at + i * 0.4 * (1 + next()));
    return { kind: "tap", times };
  },
  edge: (next, seconds) => ({ kind: "edge", at: next() * seconds, to: next() * seconds }),
  label: (next, seconds) => ({ kind: "label", at: next() * seconds, label: pick(SECTION_LABELS, next) }),
  split: (next, seconds) => ({ kind: "split", at: next() * seconds }),
  merge: (next, seconds) => ({ kind: "merge", at: next() * seconds }),
};

export const EDIT_KINDS = Object.keys(EDITS) as Correction["kind"][];

/** Returns a random edit of a song, of the given kind or of any. */
export function anyEdit(next: () => number, seconds: number, kind = pick(EDIT_KINDS, next)): Correction {
  return EDITS[kind](next, seconds);
}

/**
 * Returns a random song: steady or varying tempo, three to seven beats per bar, with sections in their own keys, drops
 * and insights.
 */
export function anySong(next: () => number): SongAnalysis {
  const isStable = next() < 0.5;
  const period = 0.3 + 0.5 * next();
  const drift = isStable ? 0 : 0.0004 * next();
  const count = 40 + Math.floor(next() * 160);
  const beatsPerBar = 3 + Math.floor(next() * 5);
  const heard = song((i) => round(i * period + i * i * drift, 4), count, isStable);
  const edges = [
    0,
    ...Array.from({ length: Math.floor(next() * 6) }, () => 1 + Math.floor(next() * (count - 1))),
    count,
  ];
  const places = [...new Set(edges)].sort((a, b) => a - b);
  const timeAt = (place: number) => heard.beats[place] ?? heard.duration;
  const unit = () => round(next(), 3);
  const sections = places.slice(1).map((end, i): Section => {
    const section = {
      start: timeAt(places[i]!),
      end: timeAt(end),
      label: pick(SECTION_LABELS, next),
      energy: unit(),
      intensity: unit(),
      confidence: unit(),
    };
    return next() < 0.8 ? { ...section, key: pick(["A minor", "C major", "Eb major", ""], next) } : section;
  });
  return {
    ...heard,
    downbeats: heard.beats.filter((_, i) => i % beatsPerBar === 0),
    grid: { ...heard.grid, beats_per_bar: beatsPerBar },
    structure: { sections: next() < 0.9 ? sections : [] },
    drop_predictions: sections
      .filter(() => next() < 0.5)
      .map(({ start }) => ({ time: start, confidence: unit(), type: "drop", energy: unit() })),
    insights: { ...heard.insights, warnings: ["mono"], engines: { key: { engine: "followspot", version: "1" } } },
  };
}
