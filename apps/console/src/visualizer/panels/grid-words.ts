import type { SongAnalysis } from "@followspot/contract";

/** From here on down, a person should listen before the lights do. */
export const DOUBTFUL = 0.5;

/** A confidence of the analysis in a word. */
export function confidenceWord(confidence: number, isByHand: boolean): string {
  if (isByHand) return "set by hand";
  if (confidence >= 0.8) return "sure";
  if (confidence >= DOUBTFUL) return "likely";
  return confidence >= 0.25 ? "unsure" : "a guess";
}

/** What a person should do about the grid; "" when nothing. */
export function gridAdvice({ beats, grid }: SongAnalysis): string {
  if (beats.length === 0) return "No beat was found. Tap along to give the lights one.";
  if (grid.confidence < DOUBTFUL)
    return "The beats are uncertain. Play with the click on; if it is off, correct the tempo or tap along.";
  if (grid.downbeat_confidence < DOUBTFUL)
    return "The first beat of the bar is uncertain. The click is higher on it; if that is off, move it.";
  return "";
}
