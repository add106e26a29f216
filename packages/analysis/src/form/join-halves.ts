import type { SectionLabel } from "@followspot/contract";
import { mean } from "../basics/maths.ts";
import type { Bar } from "../pulse/bars.ts";
import type { LabelReading } from "./read-labels.ts";
import type { BarRange } from "./structure.ts";

/** Sections that may grow or fade in steps and remain one: an entering bass does not start a second intro. */
const WHOLE: readonly SectionLabel[] = ["intro", "build", "outro"];
/** Probability that both of two adjacent sections have one of these labels, from which they are joined. */
const BOTH = 0.4;
/** The same for the second half of an intro that is too short for a verse. */
const BOTH_INTRO = 0.14;
const SHORT_BARS = 4;
/** Change of drums or vocals that starts a section, 0..1; and change of energy that does. */
const OTHER_PLAYERS = 0.3;
const OTHER_LEVEL = 0.6;

/**
 * Finds the first section that is only the second half of the intro, build or outro before it.
 *
 * @returns its index; undefined if there is none
 */
export function findHalf(
  bars: readonly Bar[],
  ranges: readonly BarRange[],
  { labels, probabilities }: LabelReading,
): number | undefined {
  const found = ranges.findIndex((range, i) => {
    const before = ranges[i - 1];
    if (!before) return false;
    const both = (label: SectionLabel) => Math.min(probabilities[i - 1]![label], probabilities[i]![label]);
    const label = labels[i]!;
    // A build rises in level and loses its drums gradually.
    if (label === "build" && labels[i - 1] === "build") return true;
    if (differPlainly(bars.slice(before.from, before.to), bars.slice(range.from, range.to))) return false;
    if (labels[i - 1] === label && WHOLE.includes(label)) return both(label) >= BOTH;
    return i === 1 && range.to - range.from <= SHORT_BARS && both("intro") >= BOTH_INTRO;
  });
  return found < 0 ? undefined : found;
}

/** Returns the ranges with one of them merged into the previous one. */
export function joinAt(ranges: readonly BarRange[], i: number): BarRange[] {
  return ranges.toSpliced(i - 1, 2, { ...ranges[i - 1]!, to: ranges[i]!.to });
}

function differPlainly(a: readonly Bar[], b: readonly Bar[]): boolean {
  const step = (measure: (bar: Bar) => number) => Math.abs(mean(b.map(measure)) - mean(a.map(measure)));
  return (
    step((bar) => bar.energy) >= OTHER_LEVEL ||
    step((bar) => bar.players.drums) >= OTHER_PLAYERS ||
    step((bar) => bar.players.vocal) >= OTHER_PLAYERS
  );
}
