import type { Drop, Seconds, Section } from "@followspot/contract";

/** Beats and the positions of their downbeats, which grid edits change. */
export interface Grid {
  readonly beats: readonly Seconds[];
  /** Indices of beats, ascending. */
  readonly downbeats: readonly number[];
  readonly beatsPerBar: number;
  readonly isStraight: boolean;
  /** Whether a user decided where the beats are, or which of them begin a bar. */
  readonly isTempoDecided: boolean;
  readonly isBarDecided: boolean;
  /** Whether the beats were replaced, so that the swing measured between the old ones is void. */
  readonly isRemade: boolean;
}

/** A section whose start is not snapped to a bar yet; an edit of sections fixes its position. */
export interface LooseSection {
  readonly start: Seconds;
  readonly end: Seconds;
  /** Whether a user set its start. */
  readonly isDecided: boolean;
  /** All its other fields. */
  readonly own: Omit<Section, "start" | "end">;
}

/** State of a song between two edits. */
export interface Corrected {
  readonly duration: Seconds;
  readonly grid: Grid;
  readonly sections: readonly LooseSection[];
  readonly drops: readonly Drop[];
}

/** Returns whether beats or bars differ from the detected ones. */
export const isGridMoved = (grid: Grid): boolean => grid.isTempoDecided || grid.isBarDecided;

/** Returns the mean length of a bar; 4 s if there are fewer than two beats. */
export const barLength = ({ beats, beatsPerBar }: Grid): Seconds =>
  beats.length < 2 ? 4 : (beatsPerBar * (beats.at(-1)! - beats[0]!)) / (beats.length - 1);
