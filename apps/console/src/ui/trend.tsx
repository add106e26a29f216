import { trendPath, type TrendPoint } from "./trend-path.ts";

const WIDTH = 120;
const HEIGHT = 24;

/** How much waited in the last hour, as a line as wide as its place. @param label what a screen reader says of it */
export function Trend({ points, label }: { readonly points: readonly TrendPoint[]; readonly label: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      className="h-6 w-full text-accent"
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
  );
}
