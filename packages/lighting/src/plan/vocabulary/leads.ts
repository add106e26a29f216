import type { SectionLabel } from "@followspot/contract";
import type { LookContext } from "./look-context.ts";

/**
 * Which colour leads a label, and which goes with it. A label keeps its lead for the whole song: that is how the form can be
 * read. What the last peak has more, the colour that was held back, joins these in its recipe.
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
