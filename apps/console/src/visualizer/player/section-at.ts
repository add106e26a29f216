import type { Section, SongAnalysis } from "@followspot/contract";
import { clockTime } from "../../lib/formatting.ts";
import { showToast } from "../../ui/toast.tsx";
import type { TimelineHandle } from "../timeline/use-timeline-view.ts";
import { visualizerStrings } from "../visualizer.strings.ts";

const text = visualizerStrings.transport;

/** The section a button acts on. Where none has begun yet, says so instead. */
export function sectionAt({ structure: { sections } }: SongAnalysis, time: number): Section | undefined {
  const section = sections.findLast(({ start }) => start <= time);
  if (!section) showToast(sections[0] ? text.noSection(clockTime(sections[0].start)) : text.noSections);
  return section;
}

/** The section at a time across the view. */
export function fitSection(timeline: TimelineHandle | null, analysis: SongAnalysis, time: number): void {
  const section = sectionAt(analysis, time);
  if (section) timeline?.fit(section.start, section.end);
}
