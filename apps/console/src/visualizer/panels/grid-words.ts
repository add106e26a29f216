import type { SongAnalysis } from "@followspot/contract";
import { visualizerStrings } from "../visualizer.strings.ts";

const text = visualizerStrings.grid;

/** Confidence below which the user is advised to check the grid by ear. */
export const DOUBTFUL = 0.5;

/** Returns a confidence of the analysis as a word. */
export function confidenceWord(confidence: number, isByHand: boolean): string {
  if (isByHand) return text.byHand;
  if (confidence >= 0.8) return text.confidence.sure;
  if (confidence >= DOUBTFUL) return text.confidence.likely;
  return confidence >= 0.25 ? text.confidence.unsure : text.confidence.guess;
}

/** Returns advice about the grid; empty if nothing needs to be done. */
export function gridAdvice({ beats, grid }: SongAnalysis): string {
  if (beats.length === 0) return text.noBeat;
  if (grid.confidence < DOUBTFUL) return text.beatsUncertain;
  if (grid.downbeat_confidence < DOUBTFUL) return text.barsUncertain;
  return "";
}
