import type { SectionLabel } from "@followspot/contract";
import type { LookContext } from "./look-context.ts";

/**
 * Which colour leads a label, and which goes with it. A label keeps its lead for the whole song: that is how the form can be
 * read. The last peak has the colour that was held back as its accent.
 */
export function leadsOf({
  section,
  palette,
  form,
}: Pick<LookContext, "section" | "palette" | "form">): readonly [lead: string, accent: string] {
  const hasDrop = form.sections.some((s) => s.label === "drop");
  const ofPeak = section.isLastPeak ? palette.held : palette.base;
  const leads: Record<SectionLabel, readonly [string, string]> = {
    intro: [palette.second, palette.base],
    verse: [palette.base, palette.second],
    build: [palette.base, palette.second],
    chorus: hasDrop
      ? [palette.second, section.isLastPeak ? palette.held : palette.contrast]
      : [palette.contrast, ofPeak],
    drop: [palette.contrast, ofPeak],
    break: [palette.second, palette.second],
    bridge: [palette.second, palette.contrast],
    outro: [palette.second, palette.base],
  };
  return leads[section.label];
}
