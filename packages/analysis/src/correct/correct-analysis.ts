import { nearestIndex, type Correction, type SongAnalysis, type SongCorrections } from "@followspot/contract";
import type { Corrected } from "./corrected.ts";
import { correctionsFit, isRelative } from "./corrections-fit.ts";
import { describeCorrected } from "./describe-corrected.ts";
import { scaleTempo, setBar, shiftDownbeat } from "./edit-grid.ts";
import { mergeSections, moveEdge, relabel, splitSection } from "./edit-sections.ts";
import { followTaps } from "./follow-taps.ts";

// Public interface of corrections, which the console bundle contains too; everything it needs of them is exported here.
export { correctionsFit, heardGrid, isRelative } from "./corrections-fit.ts";
export { CORRECTED, isByHand, SET_ASIDE } from "./describe-corrected.ts";
export { fitTaps } from "./follow-taps.ts";

/**
 * Applies a user's corrections to an analysis, in order. If the detected grid has moved since, relative edits are
 * skipped and a warning is added.
 *
 * @returns `heard` itself if there is nothing to correct
 */
export function correctAnalysis(heard: SongAnalysis, corrections: SongCorrections | null): SongAnalysis {
  if (!corrections || corrections.edits.length === 0) return heard;
  const fits = correctionsFit(heard, corrections);
  const edits = fits ? corrections.edits : corrections.edits.filter((edit) => !isRelative(edit));
  return describeCorrected(heard, edits.reduce(applyEdit, asHeard(heard)), edits, fits);
}

function asHeard(heard: SongAnalysis): Corrected {
  return {
    duration: heard.duration,
    grid: {
      beats: heard.beats,
      downbeats: heard.downbeats.map((time) => nearestIndex(heard.beats, time)).filter((i) => i >= 0),
      beatsPerBar: heard.grid.beats_per_bar,
      isStraight: heard.grid.stable,
      isTempoDecided: false,
      isBarDecided: false,
      isRemade: false,
    },
    sections: heard.structure.sections.map(({ start, end, ...own }) => ({ start, end, own, isDecided: false })),
    drops: heard.drop_predictions,
  };
}

function applyEdit(state: Corrected, edit: Correction): Corrected {
  switch (edit.kind) {
    case "tempo":
      return { ...state, grid: scaleTempo(state.grid, edit.factor) };
    case "downbeat":
      return { ...state, grid: shiftDownbeat(state.grid, edit.beats) };
    case "bar":
      return { ...state, grid: setBar(state.grid, edit.beats) };
    case "tap":
      return { ...state, grid: followTaps(state.grid, edit.times, state.duration) };
    case "edge":
      return moveEdge(state, edit.at, edit.to);
    case "label":
      return relabel(state, edit.at, edit.label);
    case "split":
      return splitSection(state, edit.at);
    case "merge":
      return mergeSections(state, edit.at);
    default:
      return edit satisfies never;
  }
}
