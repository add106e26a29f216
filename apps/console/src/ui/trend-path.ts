/** How much waited at some moment of the last hour. */
export interface TrendPoint {
  readonly secondsAgo: number;
  readonly waiting: number;
}

export const HOUR_SECONDS = 3600;
/** Moments are looked at twice a minute: more than this between two is a gap. */
const GAP_SECONDS = 75;

/** Shorter periods are drawn as wide as this. */
const SHORTEST_SECONDS = 60;

/** How many seconds the width of a line stands for. @param points oldest first */
const widthOf = (points: readonly TrendPoint[]): number => Math.max(SHORTEST_SECONDS, points[0]?.secondsAgo ?? 0);

/**
 * Where each of these points is drawn: from 0 at the left to 1 at the right, and from 0 at the top to 1 at the bottom.
 * @param points oldest first; the highest lies at the top, what never waited at the bottom
 */
export function placesOf(points: readonly TrendPoint[]): readonly { readonly x: number; readonly y: number }[] {
  const highest = Math.max(1, ...points.map(({ waiting }) => waiting));
  const width = widthOf(points);
  return points.map(({ secondsAgo, waiting }) => ({ x: 1 - secondsAgo / width, y: 1 - waiting / highest }));
}

/**
 * What was seen as a line from the oldest moment at the left to now at the right; where nothing was seen it is broken.
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
