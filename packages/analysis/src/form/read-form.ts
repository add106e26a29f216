import type { SectionLabel } from "@followspot/contract";
import type { Bar } from "../pulse/bars.ts";
import { findDrops, findReleases, type DropAt } from "./drops.ts";
import { findHalf, joinAt } from "./join-halves.ts";
import { portray } from "./portraits.ts";
import { readLabels, type LabelReading } from "./read-labels.ts";
import { ALL_CHANGES, findSections, struckBars, type BarRange } from "./structure.ts";

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
  /** Strength of its start as an edge, 0..1: half by the network's boundary, half by the probability of a new label. */
  readonly strength: number;
}

/** Cuts a song into unlabeled sections. Sound that decays after the last stroke belongs to the last of them. */
export function cutSong(bars: readonly Bar[]): BarRange[] {
  const sounding = bars.slice(0, struckBars(bars));
  const ranges = findSections(sounding, findReleases(sounding, changesOf(sounding)));
  return ranges.with(-1, { ...ranges.at(-1)!, to: bars.length });
}

/** Determines the form of a song from its bars: cuts it, labels all sections at once, and finds the drops. */
export function readForm(bars: readonly Bar[]): Form {
  const { ranges, reading } = readWhole(bars);
  const { labels, probabilities, dropBegins, changes } = reading;
  const sections = ranges.map((range, i) => ({
    ...range,
    label: labels[i]!,
    probabilities: probabilities[i]!,
    dropBegins: dropBegins[i]!,
    strength: i === 0 ? 1 : (bars[range.from]!.boundary + changes[i]!) / 2,
  }));
  return { sections, drops: findDrops(bars, sections, changesOf(bars)) };
}

/** Labels the sections, and repeats it whenever two of them turn out to be one. */
function readWhole(bars: readonly Bar[]): { readonly ranges: readonly BarRange[]; readonly reading: LabelReading } {
  let ranges = cutSong(bars);
  for (;;) {
    const reading = readLabels(portray(bars, ranges));
    const half = findHalf(bars, ranges, reading);
    if (half === undefined) return { ranges, reading };
    ranges = joinAt(ranges, half);
  }
}

function changesOf(bars: readonly Bar[]): number[] {
  return findSections(bars, [], ALL_CHANGES).map((range) => range.from);
}
