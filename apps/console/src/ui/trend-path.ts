/** Queue length at a time within the last hour. */
export interface TrendPoint {
  readonly secondsAgo: number;
  readonly waiting: number;
}

export const HOUR_SECONDS = 3600;
/** Interval between samples that counts as a gap, s. Samples are taken twice a minute. */
const GAP_SECONDS = 75;

/** Minimum period that the width of the plot stands for, s. */
const SHORTEST_SECONDS = 60;

/** Returns the period that the width of a line stands for, s. @param points oldest first */
const widthOf = (points: readonly TrendPoint[]): number => Math.max(SHORTEST_SECONDS, points[0]?.secondsAgo ?? 0);

/**
 * Returns the position of each sample: x from 0 at the left to 1 at the right, y from 0 at the top to 1 at the bottom.
 * @param points oldest first; the highest is at the top, 0 at the bottom
 */
export function placesOf(points: readonly TrendPoint[]): readonly { readonly x: number; readonly y: number }[] {
  const highest = Math.max(1, ...points.map(({ waiting }) => waiting));
  const width = widthOf(points);
  return points.map(({ secondsAgo, waiting }) => ({ x: 1 - secondsAgo / width, y: 1 - waiting / highest }));
}

/**
 * Draws the samples as a line from the oldest at the left to now at the right, interrupted at gaps.
 * @param points oldest first
 * @returns `d` of an SVG path
 */
export function trendPath(points: readonly TrendPoint[], width: number, height: number): string {
  return placesOf(points)
    .map(({ x, y }, i) => {
      const before = points[i - 1];
      const isBroken = !before || before.secondsAgo - points[i]!.secondsAgo > GAP_SECONDS;
      return `${isBroken ? "M" : "L"}${tenth(width * x)},${tenth(height * y)}`;
    })
    .join("");
}

const tenth = (n: number): number => Math.round(n * 10) / 10;
