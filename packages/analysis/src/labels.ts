import type { SectionLabel } from "@followspot/contract";
import type { Bar } from "./bars.ts";
import type { DropAt } from "./drops.ts";
import { cosine, mean } from "./maths.ts";
import type { BarRange } from "./structure.ts";

/** What the rules look at, one per section. */
export interface SectionPortrait {
  readonly bars: number;
  readonly energy: number;
  readonly bass: number;
  readonly density: number;
  /** Treble and energy of the last bars less those of the first. */
  readonly rise: number;
  /** Likeness to the most similar other section, 0..1. */
  readonly repetition: number;
  /** Starts with a drop. */
  readonly drops: boolean;
}

/** Measure each section for the labels. */
export function portraySections(
  bars: readonly Bar[],
  sections: readonly BarRange[],
  drops: readonly DropAt[],
): SectionPortrait[] {
  const rows = sections.map(({ from, to }) => averageRow(bars.slice(from, to)));
  return sections.map(({ from, to }, i) => {
    const own = bars.slice(from, to);
    const quarter = Math.max(1, Math.floor(own.length / 4));
    const tail = own.slice(-quarter);
    const head = own.slice(0, quarter);
    const likeness = rows.map((row, j) => (j === i ? 0 : cosine(row, rows[i]!)));
    return {
      bars: own.length,
      energy: mean(own.map((b) => b.energy)),
      bass: mean(own.map((b) => b.bass)),
      density: mean(own.map((b) => b.density)),
      rise: mean(tail.map((b) => b.treble + b.energy)) / 2 - mean(head.map((b) => b.treble + b.energy)) / 2,
      repetition: Math.max(0, ...likeness),
      drops: drops.some((d) => d.bar === from && d.type === "drop"),
    };
  });
}

/**
 * Name sections by rules over energy, position, bass and what follows. A song with a drop is
 * named in the words of dance music, any other in verse and chorus.
 */
export function labelSections(portraits: readonly SectionPortrait[]): SectionLabel[] {
  const dance = portraits.some((p) => p.drops);
  const loudest = Math.max(...portraits.map((p) => p.energy));
  const densest = Math.max(...portraits.map((p) => p.density));
  const chorusLevel = chorusThreshold(portraits);
  return portraits.map((p, i): SectionLabel => {
    const next = portraits[i + 1];
    const previous = portraits[i - 1];
    if (p.drops) return "drop";
    if (portraits.length === 1) return "verse";
    if (next?.drops && (p.rise > 0.08 || p.energy > 0.5)) return "build";
    if (i === 0) return "intro";
    if (!next) return p.energy < loudest - 0.15 || p.bars <= 8 ? "outro" : dance ? "drop" : "chorus";
    const isBare = p.density < 0.35 * densest && p.bass < 0.6 && p.energy < loudest - 0.2;
    if (isBare || (p.energy < 0.35 && p.bass < 0.45)) return i === 1 && (previous?.bars ?? 0) < 9 ? "intro" : "break";
    if (dance) {
      if (i <= 1 && p.energy < 0.5) return "intro";
      return p.energy > loudest - 0.12 && previous?.drops ? "drop" : "verse";
    }
    if (p.energy >= chorusLevel) return "chorus";
    const late = i >= portraits.length / 2;
    const between = (previous?.energy ?? 0) >= chorusLevel && next.energy >= chorusLevel;
    return late && between && p.energy < chorusLevel - 0.2 ? "bridge" : "verse";
  });
}

/** The largest gap in the upper half of section energies, where verse ends and chorus begins. */
function chorusThreshold(portraits: readonly SectionPortrait[]): number {
  const energies = portraits.map((p) => p.energy).sort((a, b) => a - b);
  let threshold = 0.8;
  let widest = 0.03;
  for (let i = 1; i < energies.length; i++) {
    const gap = energies[i]! - energies[i - 1]!;
    const middle = (energies[i]! + energies[i - 1]!) / 2;
    if (middle > 0.55 && middle < 0.97 && gap > widest) {
      widest = gap;
      threshold = middle;
    }
  }
  return threshold;
}

function averageRow(bars: readonly Bar[]): Float32Array {
  const width = bars[0]!.timbre.length;
  const row = new Float32Array(width + 12);
  for (const bar of bars) {
    for (let w = 0; w < width; w++) row[w]! += bar.timbre[w]! / bars.length;
    for (let c = 0; c < 12; c++) row[width + c]! += (3 * bar.chroma[c]!) / bars.length;
  }
  return row;
}
