import type { Section, SongAnalysis } from "@followspot/contract";
import { clockTime } from "../../lib/formatting.ts";
import { showToast } from "../../ui/toast.tsx";
import type { TimelineHandle } from "../timeline/use-timeline-view.ts";
import { visualizerStrings } from "../visualizer.strings.ts";

const text = visualizerStrings.transport;

/** Returns the section at a time, for a button that acts on it. Shows a toast if no section has started yet. */
export function sectionAt({ structure: { sections } }: SongAnalysis, time: number): Section | undefined {
  const section = sections.findLast(({ start }) => start <= time);
  if (!section) showToast(sections[0] ? text.noSection(clockTime(sections[0].start)) : text.noSections);
  return section;
}

/** Zooms the timeline to the section at a time. */
export function fitSection(timeline: TimelineHandle | null, analysis: SongAnalysis, time: number): void {
  const section = sectionAt(analysis, time);
  if (section) timeline?.fit(section.start, section.end);
}
