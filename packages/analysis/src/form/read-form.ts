import type { SectionLabel } from "@followspot/contract";
import type { Bar } from "../pulse/bars.ts";
import { findDrops, findReleases, type DropAt } from "./drops.ts";
import { portray } from "./portraits.ts";
import { readLabels } from "./read-labels.ts";
import { ALL_CHANGES, findSections, type BarRange } from "./structure.ts";

/** The form of a song: its sections in order, and its drops. */
export interface Form {
  readonly sections: readonly NamedSection[];
  readonly drops: readonly DropAt[];
}

export interface NamedSection extends BarRange {
  readonly label: SectionLabel;
  /** Probability of each label; they sum to 1. */
  readonly probabilities: Readonly<Record<SectionLabel, number>>;
  /** Probability that a drop begins here. */
  readonly dropBegins: number;
  /** How much of an edge its start is, 0..1: half by what the network hears there, half by whether the label changes. */
  readonly strength: number;
}

/** Cut a song into the sections that are then named. */
export function cutSong(bars: readonly Bar[]): BarRange[] {
  return findSections(bars, findReleases(bars, changesOf(bars)));
}

/** Read the form of a song from its bars: cut it, name all sections at once, and see where drops begin. */
export function readForm(bars: readonly Bar[]): Form {
  const ranges = cutSong(bars);
  const { labels, probabilities, dropBegins, changes } = readLabels(portray(bars, ranges));
  const sections = ranges.map((range, i) => ({
    ...range,
    label: labels[i]!,
    probabilities: probabilities[i]!,
    dropBegins: dropBegins[i]!,
    strength: i === 0 ? 1 : (bars[range.from]!.boundary + changes[i]!) / 2,
  }));
  return { sections, drops: findDrops(bars, sections, changesOf(bars)) };
}

function changesOf(bars: readonly Bar[]): number[] {
  return findSections(bars, [], ALL_CHANGES).map((range) => range.from);
}
