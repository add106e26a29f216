import { SONG_ANALYSIS_VERSION, type SectionLabel, type SongAnalysis } from "@followspot/contract";

/** One section of an invented song. */
export interface InventedSection {
  readonly label: SectionLabel;
  readonly bars: number;
  /** 0..1 */
  readonly energy: number;
}

/**
 * Creates the analysis of a song from its form alone: an even grid and one loudness per section. It has no drops, so
 * that nothing goes dark before them.
 */
export function inventSong(form: readonly InventedSection[], bpm: number, beatsPerBar: number): SongAnalysis {
  const beat = 60 / bpm;
  const starts = form.map((_, i) => form.slice(0, i).reduce((bars, section) => bars + section.bars, 0) * beatsPerBar);
  const count = form.reduce((bars, section) => bars + section.bars, 0) * beatsPerBar;
  const duration = count * beat;
  const beats = Array.from({ length: count + 1 }, (_, i) => i * beat);
  const sections = form.map(({ label, energy }, i) => ({
    start: starts[i]! * beat,
    end: (starts[i + 1] ?? count) * beat,
    label,
    energy,
    intensity: energy,
    confidence: 0.8,
  }));
  const hop = 0.5;
  const values = Array.from(
    { length: Math.ceil(duration / hop) },
    (_, h) => sections.findLast(({ start }) => start <= h * hop)?.energy ?? 0,
  );
  const energyCurve = { hop_seconds: hop, values };
  return {
    version: SONG_ANALYSIS_VERSION,
    song_id: "live",
    duration,
    tempo: bpm,
    key: "",
    beats,
    downbeats: beats.filter((_, i) => i % beatsPerBar === 0),
    offbeats: beats.slice(0, -1).map((t) => t + beat / 2),
    grid: {
      beats_per_bar: beatsPerBar,
      tempo_curve_bpm: [{ time: 0, bpm }],
      confidence: 1,
      downbeat_confidence: 1,
      stable: true,
      swing: 0.5,
    },
    stems: { drums: "", bass: "", vocals: "", other: "" },
    dynamics: {
      energy_curve: energyCurve,
      frequency_bands: {
        bass: energyCurve,
        low_mid: energyCurve,
        mid: energyCurve,
        high_mid: energyCurve,
        high: energyCurve,
      },
      loudness: -10,
    },
    waveform: energyCurve,
    vocals: { presence: { hop_seconds: hop, values: values.map(() => 0) }, mean_presence: 0 },
    structure: { sections },
    drop_predictions: [],
    insights: {
      genre_analysis: { primary_genre: "", sub_genres: [], confidence: 0, characteristics: {} },
      instrument_detection: { instruments: [], confidence: 0 },
      key_info: { key: "", mode: "", confidence: 0 },
      tempo_info: { bpm, confidence: 1, stable: true },
      pattern_reasoning: {},
      warnings: [],
      engines: {},
    },
  };
}
