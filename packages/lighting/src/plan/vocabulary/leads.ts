import type { SectionLabel } from "@followspot/contract";
import type { LookContext } from "./look-context.ts";
import type { Phrase } from "./phrases.ts";

/** Share of a song before which the held color does not appear, however long the last peak is. */
const HELD_UNTIL = 0.6;

/**
 * Returns the leading color of a label and the one that accompanies it. A label keeps its lead for the whole song,
 * which makes the form readable. The last peak has one more color, see {@link hasHeldColor}.
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

/** Whether the held color joins in a phrase: late in the song, and at the end of the last peak. */
export function hasHeldColor({ section, form }: Pick<LookContext, "section" | "form">, { from, to }: Phrase): boolean {
  const isLate = form.clock.timeAt(from) >= HELD_UNTIL * form.soundEnd;
  return section.isLastPeak && (isLate || to >= section.endBeat);
}
