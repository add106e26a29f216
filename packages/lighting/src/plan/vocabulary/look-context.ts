import type { LaneWriter } from "../lane-writer.ts";
import type { ShowPalette } from "../palette.ts";
import type { PlannedSection, SongForm } from "../song-form.ts";

/** Everything a section's recipe may look at. */
export interface LookContext {
  readonly form: SongForm;
  readonly section: PlannedSection;
  readonly next: PlannedSection | undefined;
  readonly palette: ShowPalette;
  readonly lanes: LaneWriter;
  /** Seeded for this section alone, so re-rolling one section changes no other. */
  readonly random: () => number;
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
