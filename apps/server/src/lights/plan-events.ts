import { create } from "@bufbuild/protobuf";
import { intentFamily, lightingPlanSchema, songAnalysisSchema, type LightingPlan } from "@followspot/contract";
import { AIInsightsSchema, PatternEventSchema, type AIInsights, type PatternEvent } from "@followspot/contract/lights";
import { conflict, notFound } from "../platform/errors.ts";

export type ReadSongFile = (songId: string, name: "lighting.json" | "hybrid.json") => Promise<unknown>;

/** Returns every cue of a song's plan as a PatternEvent, in time order. @throws not_found without a plan */
export async function readPatternEvents(readSongFile: ReadSongFile, songId: string): Promise<PatternEvent[]> {
  const file = await readSongFile(songId, "lighting.json");
  if (file === undefined) throw notFound("Lighting plan of song", songId);
  const plan = lightingPlanSchema.safeParse(file);
  if (!plan.success) throw conflict("The lighting plan of this song cannot be read. Retry lighting.");
  return patternEvents(songId, plan.data);
}

/** Returns the conclusions of the analysis. @throws not_found without an analysis */
export async function readInsights(readSongFile: ReadSongFile, songId: string): Promise<AIInsights> {
  const file = await readSongFile(songId, "hybrid.json");
  if (file === undefined) throw notFound("Analysis of song", songId);
  const parsed = songAnalysisSchema.safeParse(file);
  if (!parsed.success) throw conflict("The analysis of this song cannot be read. Retry analysis.");
  const { insights, drop_predictions, structure } = parsed.data;
  const { genre_analysis: genre, instrument_detection, pattern_reasoning, key_info, tempo_info } = insights;
  return create(AIInsightsSchema, {
    songId,
    genreAnalysis: {
      primaryGenre: genre.primary_genre,
      subGenres: genre.sub_genres,
      confidence: genre.confidence,
      characteristics: genre.characteristics,
    },
    instrumentDetection: instrument_detection,
    dropPredictions: drop_predictions.map(({ time, confidence, type, energy }) => ({
      timestamp: time,
      confidence,
      type,
      energy,
    })),
    sectionBreakdown: structure.sections.map(({ label, start, end, energy, intensity }) => ({
      name: label,
      start,
      end,
      duration: end - start,
      energy,
      intensity,
    })),
    patternReasoning: pattern_reasoning,
    keyInfo: key_info,
    tempoInfo: tempo_info,
  });
}

function patternEvents(songId: string, plan: LightingPlan): PatternEvent[] {
  const events = Object.entries(plan.event_lanes).flatMap(([target, cues]) =>
    cues.map((cue, i) =>
      create(PatternEventSchema, {
        id: `${target}#${i}`,
        songId,
        timestamp: cue.time,
        patternName: intentFamily(cue.intent) ?? cue.intent,
        intentName: cue.intent,
        sectionName: cue.section,
        energyLevel: cue.energy,
        reasoning: `${target}: ${cue.reason}`,
      }),
    ),
  );
  return events.sort((a, b) => a.timestamp - b.timestamp || a.id.localeCompare(b.id));
}
