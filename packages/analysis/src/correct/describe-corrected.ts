import type { Correction, Drop, Seconds, SongAnalysis } from "@followspot/contract";
import { round } from "../basics/maths.ts";
import { offbeatsOf, tempoCurve, tempoOf } from "../pulse/tempo.ts";
import { isGridMoved, type Corrected, type Grid } from "./corrected.ts";
import { nearestTime, snapSections } from "./edit-sections.ts";

/** Key of the insight that lists the corrections for the user. */
export const CORRECTED = "corrected by hand";
/** Engine name for beats or downbeats decided by a user. */
const BY_HAND = { engine: CORRECTED, version: "1" } as const;
/** Warning of an analysis whose grid corrections were made for another grid. */
export const SET_ASIDE = "corrections_set_aside";

/** Returns whether a user decided where the beats are, or which of them begin bars. */
export function isByHand({ insights }: SongAnalysis, what: "beats" | "downbeats"): boolean {
  return insights.engines[what]?.engine === CORRECTED;
}

/**
 * Returns the analysis with the result of the edits; everything else is unchanged.
 *
 * @param fits whether grid edits were applied too
 */
export function describeCorrected(
  heard: SongAnalysis,
  state: Corrected,
  edits: readonly Correction[],
  fits: boolean,
): SongAnalysis {
  const { grid } = state;
  const beatsAndBars = describeGrid(heard, grid);
  const { tempo, beats, downbeats } = beatsAndBars;
  const warnings = heard.insights.warnings.filter((warning) => warning !== SET_ASIDE);
  return {
    ...heard,
    ...beatsAndBars,
    structure: {
      ...heard.structure,
      sections: snapSections(state).map(({ start, end, own }) => ({
        start: round(start, 4),
        end: round(end, 4),
        ...own,
      })),
    },
    drop_predictions: isGridMoved(grid)
      ? surest(state.drops.map((drop) => ({ ...drop, time: snapDrop(drop.time, beats, downbeats) })))
      : surest(state.drops.map((drop) => ({ ...drop, time: round(drop.time, 4) }))),
    insights: {
      ...heard.insights,
      tempo_info: grid.isTempoDecided
        ? { bpm: tempo, confidence: 1, stable: grid.isStraight }
        : heard.insights.tempo_info,
      pattern_reasoning: {
        ...heard.insights.pattern_reasoning,
        ...(edits.length > 0 && { [CORRECTED]: explain(edits, tempo, grid.beatsPerBar) }),
      },
      engines: {
        ...heard.insights.engines,
        ...(grid.isTempoDecided && { beats: BY_HAND }),
        ...(grid.isBarDecided && { downbeats: BY_HAND }),
      },
      warnings: fits ? warnings : [...warnings, SET_ASIDE],
    },
  };
}

function describeGrid(
  heard: SongAnalysis,
  grid: Grid,
): Pick<SongAnalysis, "tempo" | "beats" | "downbeats" | "offbeats" | "grid"> {
  const { isTempoDecided } = grid;
  const beats = isTempoDecided ? times(grid.beats, heard.duration) : heard.beats;
  const swing = grid.isRemade ? 0.5 : heard.grid.swing;
  return {
    tempo: isTempoDecided ? round(tempoOf(beats, grid.isStraight), 2) : heard.tempo,
    beats,
    downbeats: isGridMoved(grid)
      ? grid.downbeats.map((i) => beats[i]).filter((time) => time !== undefined)
      : heard.downbeats,
    offbeats: isTempoDecided ? times(offbeatsOf(beats, swing), heard.duration) : heard.offbeats,
    grid: {
      ...heard.grid,
      beats_per_bar: grid.beatsPerBar,
      tempo_curve_bpm: isTempoDecided
        ? tempoCurve(grid.beats, [0, ...grid.downbeats.filter((at) => at > 0)])
        : heard.grid.tempo_curve_bpm,
      confidence: isTempoDecided ? 1 : heard.grid.confidence,
      downbeat_confidence: grid.isBarDecided ? 1 : heard.grid.downbeat_confidence,
      stable: grid.isStraight,
      swing,
    },
  };
}

/** Snaps a drop to its bar, or to its beat if no bar is within a beat. */
function snapDrop(time: Seconds, beats: readonly Seconds[], downbeats: readonly Seconds[]): Seconds {
  const beat = beats.length < 2 ? 0.5 : (beats.at(-1)! - beats[0]!) / (beats.length - 1);
  const bar = nearestTime(downbeats, time);
  return Math.abs(bar - time) <= beat + 1e-6 ? bar : nearestTime(beats, time);
}

/** Sorts by time, and keeps the most confident of several drops at one position. */
function surest(drops: readonly Drop[]): Drop[] {
  const best = new Map<number, Drop>();
  for (const drop of drops) {
    const other = best.get(drop.time);
    if (!other || drop.confidence > other.confidence) best.set(drop.time, drop);
  }
  return [...best.values()].sort((a, b) => a.time - b.time);
}

function explain(edits: readonly Correction[], tempo: number, beatsPerBar: number): string {
  const kinds = new Set(edits.map((edit) => edit.kind));
  const parts: string[] = [];
  if (kinds.has("tempo") || kinds.has("tap")) parts.push(`tempo ${Math.round(tempo)} BPM`);
  if (kinds.has("bar")) parts.push(`bars of ${beatsPerBar} beats`);
  if (kinds.has("downbeat")) parts.push("the first beat of the bar");
  if (kinds.has("edge") || kinds.has("split") || kinds.has("merge") || kinds.has("label")) parts.push("sections");
  const text = parts.join(", ");
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

function times(values: readonly Seconds[], duration: Seconds): Seconds[] {
  return values.filter((time) => time >= 0 && time <= duration).map((time) => round(time, 4));
}
