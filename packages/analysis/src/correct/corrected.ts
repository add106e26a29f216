import type { Drop, Seconds, Section } from "@followspot/contract";

/** Beats with the places of their downbeats: what edits of the grid change. */
export interface Grid {
  readonly beats: readonly Seconds[];
  /** Indices of beats, ascending. */
  readonly downbeats: readonly number[];
  readonly beatsPerBar: number;
  readonly isStraight: boolean;
  /** A person decided where the beats are, or which of them begin a bar. */
  readonly isTempoDecided: boolean;
  readonly isBarDecided: boolean;
  /** Beats were made anew, so the swing that was heard between the old ones says nothing. */
  readonly isRemade: boolean;
}

/** A section whose start is not snapped to a bar yet; an edit of sections settles it where it is seen. */
export interface LooseSection {
  readonly start: Seconds;
  readonly end: Seconds;
  /** A person put its start there. */
  readonly isDecided: boolean;
  /** All else that is known of it. */
  readonly own: Omit<Section, "start" | "end">;
}

/** A song between two edits. */
export interface Corrected {
  readonly duration: Seconds;
  readonly grid: Grid;
  readonly sections: readonly LooseSection[];
  readonly drops: readonly Drop[];
}

/** Beats or bars are not those that were heard. */
export const isGridMoved = (grid: Grid): boolean => grid.isTempoDecided || grid.isBarDecided;

/** Mean length of a bar; 4 s where there are no two beats. */
export const barLength = ({ beats, beatsPerBar }: Grid): Seconds =>
  beats.length < 2 ? 4 : (beatsPerBar * (beats.at(-1)! - beats[0]!)) / (beats.length - 1);
