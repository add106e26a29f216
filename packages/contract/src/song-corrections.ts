import { z } from "zod";
import { SECTION_LABELS } from "./song-analysis.ts";

/** Written into every stored set of corrections; readers accept this and every older version. */
export const SONG_CORRECTIONS_VERSION = 1;

/** Beats after ÷ beats before. */
export const TEMPO_FACTORS = ["2", "1/2", "3/2", "2/3"] as const;

/** Taps a tempo needs. */
export const LEAST_TAPS = 4;
const MOST_TAPS = 256;
/** More than a person does to one song; a bound for what is stored. */
const MOST_EDITS = 500;

const seconds = z.number().min(0).max(86_400);

/** One thing a person did. Times are those shown when it was done; `at` names the edge or section nearest to it. */
export const correctionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("tempo"), factor: z.enum(TEMPO_FACTORS) }),
  /** Every bar begins this many beats later. */
  z.object({ kind: z.literal("downbeat"), beats: z.number().int().min(-16).max(16) }),
  z.object({ kind: z.literal("bar"), beats: z.number().int().min(1).max(16) }),
  /** Song times at which a person tapped along. */
  z.object({ kind: z.literal("tap"), times: z.array(seconds).min(LEAST_TAPS).max(MOST_TAPS) }),
  z.object({ kind: z.literal("edge"), at: seconds, to: seconds }),
  z.object({ kind: z.literal("label"), at: seconds, label: z.enum(SECTION_LABELS) }),
  z.object({ kind: z.literal("split"), at: seconds }),
  /** Takes the edge away: its section joins the one before. */
  z.object({ kind: z.literal("merge"), at: seconds }),
]);

/** What a person corrected in the analysis of one song: the edits in the order they were made, so that undo takes the last. */
export const songCorrectionsSchema = z.object({
  version: z.number().int().min(1).max(SONG_CORRECTIONS_VERSION),
  /** The heard grid the edits were made on: what "twice as fast" is twice of. */
  heard: z.object({
    tempo: z.number().min(0),
    beats_per_bar: z.number().int().min(1),
    /** First and last downbeat; 0 without any. */
    first_downbeat: seconds,
    last_downbeat: seconds,
  }),
  edits: z.array(correctionSchema).max(MOST_EDITS),
});

export type TempoFactor = (typeof TEMPO_FACTORS)[number];
export type Correction = z.infer<typeof correctionSchema>;
export type SongCorrections = z.infer<typeof songCorrectionsSchema>;
