/** How much waited at some moment of the last hour. */
export interface TrendPoint {
  readonly secondsAgo: number;
  readonly waiting: number;
}

export const HOUR_SECONDS = 3600;
/** Moments are looked at twice a minute: more than this between two is a gap. */
const GAP_SECONDS = 75;

/** Shorter periods are drawn as wide as this: two moments are no trend. */
const SHORTEST_SECONDS = 300;

/** How far a line of these reaches back, in seconds. @param points oldest first */
export const spanOf = (points: readonly TrendPoint[]): number => Math.max(SHORTEST_SECONDS, points[0]?.secondsAgo ?? 0);

/**
 * What was seen as a line from the oldest moment at the left to now at the right; where nothing was seen it is broken.
 * @param points oldest first
 * @returns `d` of an SVG path; the highest value lies at the top, 0 at the bottom
 */
export function trendPath(points: readonly TrendPoint[], width: number, height: number): string {
  const highest = Math.max(1, ...points.map(({ waiting }) => waiting));
  const span = spanOf(points);
  const place = ({ secondsAgo, waiting }: TrendPoint) =>
    `${tenth(width * (1 - secondsAgo / span))},${tenth(height * (1 - waiting / highest))}`;
  return points
    .map((point, i) => {
      const before = points[i - 1];
      const isBroken = !before || before.secondsAgo - point.secondsAgo > GAP_SECONDS;
      return `${isBroken ? "M" : "L"}${place(point)}`;
    })
    .join("");
}

const tenth = (n: number): number => Math.round(n * 10) / 10;
