import { z } from "zod";

/** Written into every new hybrid.json; readers accept this and every older version. */
export const SONG_ANALYSIS_VERSION = 1;

const seconds = z.number().min(0);
const unit = z.number().min(0).max(1);

/** An evenly sampled curve: values[i] is the level 0..1 at i × hop_seconds. */
const curveSchema = z.object({
  hop_seconds: z.number().positive(),
  values: z.array(unit),
});

export const SECTION_LABELS = ["intro", "verse", "chorus", "build", "drop", "break", "bridge", "outro"] as const;

const DROP_TYPES = ["drop", "bass_drop", "chorus_lift"] as const;

export const FREQUENCY_BANDS = ["bass", "low_mid", "mid", "high_mid", "high"] as const;

const sectionSchema = z.object({
  start: seconds,
  end: seconds,
  label: z.enum(SECTION_LABELS),
  /** Where the section is in another key than the song, that one; else the song's. Missing in analyses before 2.0.0. */
  key: z.string().optional(),
  /** Mean loudness of the section within the song, 0 quietest .. 1 loudest. */
  energy: unit,
  /** Energy and onset density together, 0..1. */
  intensity: unit,
  /** How likely the label is right: of sections with 0.7 about 70 % are. Before 3.0.0 how clear its first edge is. */
  confidence: unit,
  /** Probability of each label; labels below 0.005 are left out. Missing in analyses before 3.0.0 and where a person named it. */
  label_probabilities: z.partialRecord(z.enum(SECTION_LABELS), unit).optional(),
  /**
   * How much of an edge the section's start is, 0 (the one before goes on) .. 1. Missing in analyses before 3.0.0 and where
   * a person put the edge.
   */
  boundary_strength: unit.optional(),
});

const dropSchema = z.object({
  time: seconds,
  confidence: unit,
  type: z.enum(DROP_TYPES),
  energy: unit,
});

/** AIInsights of the specification §3, as the analysis itself concludes them. */
const insightsSchema = z.object({
  genre_analysis: z.object({
    primary_genre: z.string(),
    sub_genres: z.array(z.string()),
    confidence: unit,
    characteristics: z.record(z.string(), z.string()),
  }),
  instrument_detection: z.object({
    instruments: z.array(z.object({ name: z.string(), confidence: unit, stems: z.array(z.string()) })),
    confidence: unit,
  }),
  key_info: z.object({ key: z.string(), mode: z.string(), confidence: unit }),
  tempo_info: z.object({ bpm: z.number().min(0), confidence: unit, stable: z.boolean() }),
  /** Stage name → what it found, for a person. */
  pattern_reasoning: z.record(z.string(), z.string()),
  /** What a person should know about the source: "truncated", "silent", "clipped", "mono". */
  warnings: z.array(z.string()),
  /** Capability → which engine answered. */
  engines: z.record(z.string(), z.object({ engine: z.string(), version: z.string() })),
});

/** hybrid.json: everything the planner, the visualizer and the stage know about a song. */
export const songAnalysisSchema = z.object({
  version: z.number().int().min(1).max(SONG_ANALYSIS_VERSION),
  song_id: z.string(),
  /** Decoded length in seconds. */
  duration: seconds,
  /** Global tempo in BPM; 0 when no beat was found. */
  tempo: z.number().min(0),
  /** "F# minor"; "" when no key was found. */
  key: z.string(),
  beats: z.array(seconds),
  downbeats: z.array(seconds),
  /** Midpoints between beats (swing shifts them). */
  offbeats: z.array(seconds),
  grid: z.object({
    beats_per_bar: z.number().int().min(1),
    tempo_curve_bpm: z.array(z.object({ time: seconds, bpm: z.number().min(0) })),
    confidence: unit,
    downbeat_confidence: unit,
    /** Beats lie within 12 ms rms of a straight line. */
    stable: z.boolean(),
    /** Position of the off-beat eighth in the beat: 0.5 straight .. 0.67 triplet swing. */
    swing: z.number().min(0.4).max(0.8),
  }),
  /** Stem → file name beside hybrid.json; "" when the stem was not written. */
  stems: z.object({
    drums: z.string(),
    bass: z.string(),
    vocals: z.string(),
    other: z.string(),
  }),
  /** Seconds at which each drum is struck. Missing in analyses before 3.1.0. */
  drums: z.object({ kick: z.array(seconds), snare: z.array(seconds), hat: z.array(seconds) }).optional(),
  dynamics: z.object({
    energy_curve: curveSchema,
    frequency_bands: z.object({
      bass: curveSchema,
      low_mid: curveSchema,
      mid: curveSchema,
      high_mid: curveSchema,
      high: curveSchema,
    }),
    /** Integrated loudness in LUFS (ITU-R BS.1770); -70 for silence. */
    loudness: z.number(),
  }),
  /** Peak level per point, for drawing. */
  waveform: curveSchema,
  vocals: z.object({ presence: curveSchema, mean_presence: unit }),
  structure: z.object({ sections: z.array(sectionSchema) }),
  drop_predictions: z.array(dropSchema),
  insights: insightsSchema,
});

export type Curve = z.infer<typeof curveSchema>;
export type Section = z.infer<typeof sectionSchema>;
export type SectionLabel = (typeof SECTION_LABELS)[number];
export type Drop = z.infer<typeof dropSchema>;
export type DropType = (typeof DROP_TYPES)[number];
export type FrequencyBand = (typeof FREQUENCY_BANDS)[number];
export type SongInsights = z.infer<typeof insightsSchema>;
export type SongAnalysis = z.infer<typeof songAnalysisSchema>;
