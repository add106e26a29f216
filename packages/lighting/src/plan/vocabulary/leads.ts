import type { SectionLabel } from "@followspot/contract";
import type { LookContext } from "./look-context.ts";
import type { Phrase } from "./phrases.ts";

/** Share of a song before which the colour that is held back does not come, however long the last peak is. */
const HELD_UNTIL = 0.6;

/**
 * Which colour leads a label, and which goes with it. A label keeps its lead for the whole song: that is how the form can be
 * read. The last peak has one more, see {@link hasHeldColor}.
 */
export function leadsOf({
  section,
  palette,
  form,
}: Pick<LookContext, "section" | "palette" | "form">): readonly [lead: string, accent: string] {
  const hasDrop = form.sections.some((s) => s.label === "drop");
  const leads: Record<SectionLabel, readonly [string, string]> = {
    intro: [palette.second, palette.base],
    verse: [palette.base, palette.second],
    build: [palette.base, palette.second],
    chorus: hasDrop ? [palette.second, palette.contrast] : [palette.contrast, palette.base],
    drop: [palette.contrast, palette.base],
    break: [palette.second, palette.second],
    bridge: [palette.second, palette.contrast],
    outro: [palette.second, palette.base],
  };
  return leads[section.label];
}

/** Whether the colour that was held back joins in a stretch of a section: late in the song, and at the end of the last peak. */
export function hasHeldColor({ section, form }: Pick<LookContext, "section" | "form">, { from, to }: Phrase): boolean {
  const isLate = form.clock.timeAt(from) >= HELD_UNTIL * form.soundEnd;
  return section.isLastPeak && (isLate || to >= section.endBeat);
}
