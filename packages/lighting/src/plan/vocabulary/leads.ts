import type { SectionLabel } from "@followspot/contract";
import type { LookContext } from "./look-context.ts";

/** Which hue leads a label, and which goes with it. A label keeps them for the whole song: that is how the form can be read. */
export function leadsOf({
  section,
  palette,
  form,
}: Pick<LookContext, "section" | "palette" | "form">): readonly [lead: string, accent: string] {
  const hasDrop = form.sections.some((s) => s.label === "drop");
  const leads: Record<SectionLabel, readonly [string, string]> = {
    intro: [palette.base, palette.second],
    verse: [palette.base, palette.second],
    build: [palette.base, palette.white],
    chorus: hasDrop ? [palette.second, palette.base] : [palette.contrast, palette.base],
    drop: [palette.contrast, palette.base],
    break: [palette.second, palette.second],
    bridge: [palette.second, palette.contrast],
    outro: [palette.base, palette.second],
  };
  return leads[section.label];
}
