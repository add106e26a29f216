import { SONG_ANALYSIS_VERSION, type SectionLabel, type SongAnalysis } from "@followspot/contract";
import { randomStream } from "../random.ts";

/** A song described by its form; everything else is derived. */
export interface SyntheticSong {
  readonly id?: string;
  readonly bpm?: number;
  readonly beatsPerBar?: number;
  readonly offset?: number;
  /** Label, bars, energy 0..1, vocal presence 0..1. */
  readonly form?: readonly (readonly [SectionLabel, number, number, number?])[];
  readonly beatConfidence?: number;
  readonly dropConfidence?: number;
  readonly mode?: "major" | "minor";
}

export const CLUB_FORM = [
  ["intro", 8, 0.25],
  ["verse", 16, 0.45, 0.8],
  ["build", 8, 0.6],
  ["drop", 16, 0.95],
  ["break", 8, 0.2],
  ["verse", 16, 0.5, 0.8],
  ["build", 8, 0.65],
  ["drop", 16, 1],
  ["outro", 8, 0.3],
] as const satisfies SyntheticSong["form"];

export const POP_FORM = [
  ["intro", 4, 0.3],
  ["verse", 16, 0.45, 0.9],
  ["chorus", 8, 0.8, 0.9],
  ["verse", 16, 0.5, 0.9],
  ["chorus", 8, 0.85, 0.9],
  ["bridge", 8, 0.4, 0.5],
  ["chorus", 16, 0.95, 0.9],
  ["outro", 4, 0.3],
] as const satisfies SyntheticSong["form"];

/** A wall of sound: intro, verse and outro are nearly as loud as the chorus. */
export const LOUD_FORM = [
  ["intro", 8, 0.8],
  ["verse", 16, 0.8],
  ["chorus", 8, 0.95],
  ["verse", 16, 0.8, 0.9],
  ["chorus", 8, 0.95],
  ["outro", 12, 0.8],
] as const satisfies SyntheticSong["form"];

/**
 * Returns a SongAnalysis with known truth: an even grid, levels by section, and a drop prediction at each drop or last
 * chorus.
 */
export function syntheticAnalysis(song: SyntheticSong = {}): SongAnalysis {
  const { id = "synthetic", bpm = 120, beatsPerBar = 4, offset = 0.2, form = CLUB_FORM } = song;
  const { beatConfidence = 0.9, dropConfidence = 0.9, mode = "minor" } = song;
  const beatSeconds = 60 / bpm;
  const totalBeats = form.reduce((sum, [, bars]) => sum + bars * beatsPerBar, 0);
  const duration = offset + totalBeats * beatSeconds + 0.5;
  const beats = Array.from({ length: totalBeats + 1 }, (_, i) => round(offset + i * beatSeconds));
  let bar = 0;
  const sections = form.map(([label, bars, energy], i) => {
    const start = i === 0 ? 0 : offset + bar * beatsPerBar * beatSeconds;
    bar += bars;
    const end = i === form.length - 1 ? duration : offset + bar * beatsPerBar * beatSeconds;
    return { start: round(start), end: round(end), label, energy, intensity: energy, confidence: 0.8 };
  });
  const hop = 0.1;
  const random = randomStream(1);
  const levels = Array.from({ length: Math.ceil(duration / hop) }, (_, h) => {
    const t = h * hop;
    if (t < offset - hop || t > duration - 0.5) return 0;
    const section = sections.findLast((s) => s.start <= t) ?? sections[0]!;
    return Math.min(1, Math.max(0.05, section.energy + 0.05 * (random() - 0.5)));
  });
  const curve = (scale: number) => ({ hop_seconds: hop, values: levels.map((v) => v * scale) });
  const vocals = levels.map((_, h) => {
    const i = sections.findLastIndex((s) => s.start <= h * hop);
    return form[Math.max(0, i)]?.[3] ?? 0;
  });
  return {
    version: SONG_ANALYSIS_VERSION,
    song_id: id,
    duration,
    tempo: bpm,
    key: mode === "minor" ? "F# minor" : "C major",
    beats,
    downbeats: beats.filter((_, i) => i % beatsPerBar === 0),
    offbeats: beats.slice(0, -1).map((t) => round(t + beatSeconds / 2)),
    grid: {
      beats_per_bar: beatsPerBar,
      tempo_curve_bpm: [{ time: 0, bpm }],
      confidence: beatConfidence,
      downbeat_confidence: beatConfidence,
      stable: true,
      swing: 0.5,
    },
    stems: { drums: "", bass: "", vocals: "", other: "" },
    dynamics: {
      energy_curve: curve(1),
      frequency_bands: {
        bass: curve(0.9),
        low_mid: curve(0.8),
        mid: curve(0.7),
        high_mid: curve(0.6),
        high: curve(0.5),
      },
      loudness: -10,
    },
    waveform: curve(1),
    vocals: {
      presence: { hop_seconds: hop, values: vocals },
      mean_presence: vocals.reduce((a, b) => a + b, 0) / vocals.length,
    },
    structure: { sections },
    drop_predictions: sections
      .filter((s, i) => s.label === "drop" || (s.label === "chorus" && i === form.length - 2))
      .map((s) => ({
        time: s.start,
        confidence: dropConfidence,
        type: s.label === "drop" ? ("drop" as const) : ("chorus_lift" as const),
        energy: s.energy,
      })),
    insights: {
      genre_analysis: { primary_genre: "", sub_genres: [], confidence: 0, characteristics: {} },
      instrument_detection: { instruments: [], confidence: 0 },
      key_info: { key: mode === "minor" ? "F#" : "C", mode, confidence: 0.8 },
      tempo_info: { bpm, confidence: beatConfidence, stable: true },
      pattern_reasoning: {},
      warnings: [],
      engines: {},
    },
  };
}

function round(seconds: number): number {
  return Math.round(seconds * 10_000) / 10_000;
}
