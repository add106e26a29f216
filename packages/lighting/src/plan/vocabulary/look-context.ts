import type { Rhythm } from "../drums.ts";
import type { Evening } from "../evening.ts";
import type { LaneWriter } from "../lane-writer.ts";
import type { Mood } from "../mood.ts";
import type { ShowPalette } from "../palette.ts";
import type { PlannedSection, SongForm } from "../song-form.ts";

/** Everything a section's recipe may look at. */
export interface LookContext {
  readonly form: SongForm;
  readonly section: PlannedSection;
  readonly before: PlannedSection | undefined;
  readonly next: PlannedSection | undefined;
  readonly palette: ShowPalette;
  readonly mood: Mood;
  readonly evening: Evening | undefined;
  readonly lanes: LaneWriter;
  /** Mean drive the whole rig is to have, 0..1, and what a stretch of it (seconds) adds. */
  readonly target: number;
  readonly lift: (from: number, to: number) => number;
  /** Levels are multiplied by this, so that what was measured comes to the target. */
  readonly gain: number;
  /** Seeded for this section alone, so re-rolling one section changes no other. */
  readonly random: () => number;
  /** What {@link wayOf} draws by: a stream per choice, the label's and, where the section was rolled again, its own. */
  readonly styles: {
    readonly ofLabel: (choice: string) => () => number;
    readonly rolled?: (choice: string) => () => number;
  };
  /** What the drums of the section say. */
  readonly rhythm: Rhythm;
  /** A moment of singing long enough to need light on the singer. */
  readonly sings: boolean;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
/** How big a section is within its song, by rank. */
const SIZES = ["very quiet", "quiet", "neither quiet nor big", "big", "among the biggest"] as const;

/** How reasons call a section: "second verse, quiet". */
export function nameOf({ label, occurrence, rank }: PlannedSection): string {
  return `${ORDINALS[occurrence - 1] ?? `${occurrence}.`} ${label}, ${SIZES[rank]}`;
}

/** One of several ways: all sections of a label have the same, but for one that was rolled again: it has another. */
export function wayOf<T>({ styles }: LookContext, choice: string, ways: readonly T[]): T {
  const usual = oneOf(styles.ofLabel(choice), ways);
  if (!styles.rolled || ways.length < 2) return usual;
  const others = ways.filter((way) => way !== usual);
  return oneOf(styles.rolled(choice), others);
}

/** One of several ways. */
export function oneOf<T>(random: () => number, options: readonly T[]): T {
  return options[Math.floor(random() * options.length)]!;
}
