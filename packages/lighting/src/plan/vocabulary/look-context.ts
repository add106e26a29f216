import type { Rhythm } from "../drums.ts";
import type { Evening } from "../evening.ts";
import type { LaneWriter } from "../lane-writer.ts";
import type { Mood } from "../mood.ts";
import type { ShowPalette } from "../palette.ts";
import type { PlannedSection, SongForm } from "../song-form.ts";

/** Everything that the recipe of a section may read. */
export interface LookContext {
  readonly form: SongForm;
  readonly section: PlannedSection;
  readonly before: PlannedSection | undefined;
  readonly next: PlannedSection | undefined;
  readonly palette: ShowPalette;
  readonly mood: Mood;
  readonly evening: Evening | undefined;
  readonly lanes: LaneWriter;
  /** Mean drive of the whole rig, 0..1; and what a time range adds to it, seconds. */
  readonly target: number;
  readonly lift: (from: number, to: number) => number;
  /** Factor on all levels with which the measured brightness reaches the target. */
  readonly gain: number;
  /** Random stream of this section only, so that rerolling one section changes no other. */
  readonly random: () => number;
  /** Random streams of {@link wayOf}, one per choice: that of the label and, if the section was rerolled, its own. */
  readonly styles: {
    readonly ofLabel: (choice: string) => () => number;
    readonly rolled?: (choice: string) => () => number;
  };
  /** Rhythm of the drums in the section. */
  readonly rhythm: Rhythm;
  /** Whether the section has enough vocals to need front light on the singer. */
  readonly sings: boolean;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
/** Size of a section within its song, by rank. */
const SIZES = ["very quiet", "quiet", "neither quiet nor big", "big", "among the biggest"] as const;

/** Returns the name of a section in reasons: "second verse, quiet". */
export function nameOf({ label, occurrence, rank }: PlannedSection): string {
  return `${ORDINALS[occurrence - 1] ?? `${occurrence}.`} ${label}, ${SIZES[rank]}`;
}

/**
 * Chooses one of several variants. All sections of a label share it, except for a rerolled section, which gets another.
 */
export function wayOf<T>({ styles }: LookContext, choice: string, ways: readonly T[]): T {
  const usual = oneOf(styles.ofLabel(choice), ways);
  if (!styles.rolled || ways.length < 2) return usual;
  const others = ways.filter((way) => way !== usual);
  return oneOf(styles.rolled(choice), others);
}

/** Chooses one of several options. */
export function oneOf<T>(random: () => number, options: readonly T[]): T {
  return options[Math.floor(random() * options.length)]!;
}
