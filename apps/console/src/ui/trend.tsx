import { timeOfDay } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Sparkline } from "./sparkline.tsx";
import { placesOf, trendPath, type TrendPoint } from "./trend-path.ts";

const WIDTH = 120;
const HEIGHT = 24;

/**
 * Plot of the queue length over the last hour, as wide as its container.
 * @param points oldest first, at least one
 * @param readAt time of reading, ms
 * @param label description for screen readers
 */
export function Trend({
  points,
  readAt,
  label,
}: {
  readonly points: readonly TrendPoint[];
  readonly readAt: number;
  readonly label: string;
}) {
  const places = placesOf(points);
  const moments = points.map((point, i) => ({
    at: places[i]!.x,
    says: strings.waitedAt(timeOfLook(point, readAt), point.waiting),
  }));
  return (
    <Sparkline label={label} moments={moments}>
      {(chosen) => (
        <>
          <svg
            aria-hidden
            viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`}
            preserveAspectRatio="none"
            className="block h-6 w-full text-accent"
          >
            <path
              d={trendPath(points, WIDTH, HEIGHT)}
              fill="none"
              stroke="currentColor"
              strokeWidth={1.5}
              strokeLinejoin="round"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          {chosen !== undefined && <Dot {...places[chosen]!} />}
        </>
      )}
    </Sparkline>
  );
}

/** Formats the time of a sample; empty for the current one. */
const timeOfLook = ({ secondsAgo }: TrendPoint, readAt: number): string =>
  secondsAgo === 0 ? "" : timeOfDay(new Date(readAt - secondsAgo * 1000));

/** Separate from the drawing, which is stretched to its container. */
function Dot({ x, y }: { readonly x: number; readonly y: number }) {
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute size-2 -translate-1/2 rounded-full bg-accent ring-2 ring-surface"
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
    />
  );
}
