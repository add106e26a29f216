import { FAMILIES, VOTES, type Family, type Vote } from "../judge/compare.ts";
import type { Measure } from "../judge/measure.ts";
import { mean } from "../maths.ts";

/**
 * Result of comparing two shows of one song: 1 the first wins, 0.5 a tie, 0 it loses. Families without a vote are left
 * out.
 */
export interface Comparison {
  readonly families: Partial<Record<Family, number>>;
  /** Mean of the families. */
  readonly share: number;
  readonly isWon: boolean;
}

export function compareShows(ours: readonly Measure[], theirs: readonly Measure[]): Comparison {
  const families: Partial<Record<Family, number>> = {};
  for (const family of FAMILIES) {
    const outcomes = VOTES.filter((vote) => vote.family === family).flatMap((vote) => {
      const a = ours.find((one) => one.id === vote.id);
      const b = theirs.find((one) => one.id === vote.id);
      if (a?.value === undefined || b?.value === undefined) return [];
      const apart = goodness(a, vote) - goodness(b, vote);
      return [Math.abs(apart) < vote.tie ? 0.5 : apart > 0 ? 1 : 0];
    });
    if (outcomes.length > 0) families[family] = mean(outcomes);
  }
  const share = mean(Object.values(families));
  return { families, share, isWon: share > 0.5 };
}

function goodness({ value, low, high }: Measure, vote: Vote): number {
  if (vote.wants === "band") return -Math.max(0, low - value!, value! - high);
  return Math.min(value!, vote.cap ?? Number.POSITIVE_INFINITY);
}

/** Returns the Wilson 95 % interval of a share: `won` of `of`. */
export function wilson(won: number, of: number): { low: number; high: number } {
  if (of === 0) return { low: 0, high: 1 };
  const z = 1.96;
  const p = won / of;
  const middle = p + (z * z) / (2 * of);
  const half = z * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return { low: (middle - half) / scale, high: (middle + half) / scale };
}
