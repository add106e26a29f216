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
  /** Brightness the whole rig is to have, 0..1, and what a stretch of it (seconds) adds. */
  readonly target: number;
  readonly lift: (from: number, to: number) => number;
  /** Levels are multiplied by this, so that what was measured comes to the target. */
  readonly gain: number;
  /** Seeded for this section alone, so re-rolling one section changes no other. */
  readonly random: () => number;
  /** Seeded for the label: what all its sections have in common. */
  readonly labelRandom: () => number;
  /** A stream that begins anew with each call, the same for all phrases of the section. */
  readonly sectionStyle: () => () => number;
  /** A moment of singing long enough to need light on the singer. */
  readonly sings: boolean;
}

/** How reasons call a section: "verse 2, rank 1". */
export function nameOf(section: PlannedSection): string {
  return `${section.label} ${section.occurrence}, rank ${section.rank}`;
}

/** One of several ways, by the section's own seed. */
export function oneOf<T>(random: () => number, options: readonly T[]): T {
  return options[Math.floor(random() * options.length)]!;
}
