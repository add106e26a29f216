import type { SectionLabel } from "@followspot/contract";
import { mean } from "../basics/maths.ts";
import type { Bar } from "../pulse/bars.ts";
import type { DropAt } from "./drops.ts";
import type { BarRange } from "./structure.ts";

/** What the rules look at, one per section. */
export interface SectionPortrait {
  readonly bars: number;
  readonly energy: number;
  readonly bass: number;
  readonly density: number;
  /** Treble and energy of the last bars less those of the first. */
  readonly rise: number;
  /** Of the two kinds that the full sections fall into, the fuller one. */
  readonly isFullest: boolean;
  /** Starts with a drop. */
  readonly drops: boolean;
}

/** Measure each section for the labels. */
export function portraySections(
  bars: readonly Bar[],
  sections: readonly BarRange[],
  drops: readonly DropAt[],
): SectionPortrait[] {
  const fullest = fullestOf(sections.map(({ from, to }) => averageRow(bars.slice(from, to))));
  return sections.map(({ from, to }, i) => {
    const own = bars.slice(from, to);
    const quarter = Math.max(1, Math.floor(own.length / 4));
    const tail = own.slice(-quarter);
    const head = own.slice(0, quarter);
    return {
      bars: own.length,
      energy: mean(own.map((b) => b.energy)),
      bass: mean(own.map((b) => b.bass)),
      density: mean(own.map((b) => b.density)),
      rise: mean(tail.map((b) => b.treble + b.energy)) / 2 - mean(head.map((b) => b.treble + b.energy)) / 2,
      isFullest: fullest.has(i),
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
    if (p.isFullest) return "chorus";
    const late = i >= portraits.length / 2;
    const between = previous?.isFullest && next.isFullest;
    return late && between && p.energy < loudest - 0.3 ? "bridge" : "verse";
  });
}

/** What a section sounds like on the whole; the energy is its last value. */
type Row = Float32Array;

/** Sections this far below the loudest are bare, not another kind of full. */
const BARE_BELOW = 0.45;
/** Of two kinds the later one is more often the chorus: worth this much energy. */
const LATER = 0.08;

/**
 * The sections that are choruses: all full sections are parted into two kinds by their sound
 * (two means, from the two that differ most), and the kind with more energy, or that comes
 * later, is the chorus.
 *
 * @returns indices; none when fewer than two sections are full
 */
function fullestOf(rows: readonly Row[]): Set<number> {
  const energy = (i: number) => rows[i]!.at(-1)!;
  const loudest = Math.max(...rows.map((_, i) => energy(i)));
  const full = rows.flatMap((_, i) => (i > 0 && i < rows.length - 1 && energy(i) > loudest - BARE_BELOW ? [i] : []));
  if (full.length < 2) return new Set(full);
  let [a, b] = farthestPair(full.map((i) => rows[i]!));
  let kinds: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 8; turn++) {
    kinds = [[], []];
    for (const i of full) kinds[distance(rows[i]!, a) <= distance(rows[i]!, b) ? 0 : 1].push(i);
    if (kinds[0].length === 0 || kinds[1].length === 0) return new Set(full);
    [a, b] = [centreOf(kinds[0].map((i) => rows[i]!)), centreOf(kinds[1].map((i) => rows[i]!))];
  }
  const claim = (own: readonly number[], other: readonly number[]) =>
    mean(own.map(energy)) + (own[0]! > other[0]! ? LATER : 0);
  return new Set(claim(kinds[0], kinds[1]) > claim(kinds[1], kinds[0]) ? kinds[0] : kinds[1]);
}

function farthestPair(rows: readonly Row[]): [Row, Row] {
  let best: [Row, Row] = [rows[0]!, rows[1]!];
  for (const a of rows) for (const b of rows) if (distance(a, b) > distance(...best)) best = [a, b];
  return best;
}

function distance(a: Row, b: Row): number {
  return a.reduce((sum, v, i) => sum + (v - b[i]!) ** 2, 0);
}

function centreOf(rows: readonly Row[]): Row {
  return Float32Array.from(rows[0]!, (_, i) => mean(rows.map((row) => row[i]!)));
}

function averageRow(bars: readonly Bar[]): Row {
  const columns = bars.map((bar) => [
    ...bar.timbre,
    ...[...bar.chroma].map((v) => 3 * v),
    ...Object.values(bar.players),
    bar.density,
    bar.energy,
  ]);
  return Float32Array.from(columns[0]!, (_, i) => mean(columns.map((column) => column[i]!)));
}
