import type { SectionLabel } from "@followspot/contract";
import type { LookContext } from "./look-context.ts";

/** From this part of the song on the colour that was held back may come. */
const LAST_THIRD = 0.66;

/**
 * Which colour leads a label, and which goes with it. A label keeps its lead for the whole song: that is how the form can be
 * read. In the last third loud parts get the colour that was held back as their accent.
 */
export function leadsOf({
  section,
  palette,
  form,
}: Pick<LookContext, "section" | "palette" | "form">): readonly [lead: string, accent: string] {
  const hasDrop = form.sections.some((s) => s.label === "drop");
  const isLate = section.isLastPeak || section.start >= LAST_THIRD * form.soundEnd;
  const ofPeak = isLate ? palette.held : palette.base;
  const leads: Record<SectionLabel, readonly [string, string]> = {
    intro: [palette.base, palette.second],
    verse: [palette.base, palette.second],
    build: [palette.base, palette.second],
    chorus: hasDrop ? [palette.second, isLate ? palette.held : palette.contrast] : [palette.contrast, ofPeak],
    drop: [palette.contrast, ofPeak],
    break: [palette.second, palette.base],
    bridge: [palette.second, palette.contrast],
    outro: [palette.base, palette.second],
  };
  return leads[section.label];
}
