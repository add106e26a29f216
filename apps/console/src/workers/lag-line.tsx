import { cx } from "../ui/class-names.ts";
import { HOUR_SECONDS, trendPath, type TrendPoint } from "./trend-path.ts";
import { workersStrings as text } from "./workers.strings.ts";

const WIDTH = 120;
const HEIGHT = 24;
/** An hour less what lies between two looks. */
const WHOLE_HOUR_SECONDS = HOUR_SECONDS - 60;

interface LagProps {
  readonly waiting: number;
  /** A moment, or empty. */
  readonly oldestWaitingAt: string;
  /** Oldest first. */
  readonly trend: readonly TrendPoint[];
}

/** How far a stream's consumers are behind: what waits, for how long the oldest has, and how that was. */
export function LagLine({ waiting, oldestWaitingAt, trend }: LagProps) {
  const isBehind = waiting > 0;
  const points = [...trend, { secondsAgo: 0, waiting }];
  return (
    <dl className="grid grid-cols-2 items-end gap-x-3 gap-y-2 rounded-md bg-raised px-3 py-2 sm:grid-cols-[1fr_1fr_auto]">
      <div>
        <dt className="text-xs text-muted">{text.lag}</dt>
        <dd className={cx("text-lg leading-6 font-semibold tabular-nums", isBehind && "text-warn")}>
          {waiting.toLocaleString("en")}
        </dd>
      </div>
      <div>
        <dt className="text-xs text-muted">{text.oldest}</dt>
        <dd className={cx("text-lg leading-6 font-semibold", isBehind && "text-warn")}>
          {oldestWaitingAt === "" ? text.noOldest : text.ageOf(secondsSince(oldestWaitingAt))}
        </dd>
      </div>
      <div className="max-sm:col-span-2">
        <dt className="text-xs text-muted">{sayPeriod(trend)}</dt>
        <dd>
          <Trend points={points} />
        </dd>
      </div>
    </dl>
  );
}

function Trend({ points }: { readonly points: readonly TrendPoint[] }) {
  const highest = Math.max(0, ...points.map(({ waiting }) => waiting));
  return (
    <svg
      role="img"
      aria-label={text.trendOf(highest, points.at(-1)?.waiting ?? 0)}
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

/** An hour, or less where the server has not been there for so long. */
function sayPeriod(points: readonly TrendPoint[]): string {
  const [oldest] = points;
  if (!oldest) return text.noTrend;
  if (oldest.secondsAgo >= WHOLE_HOUR_SECONDS) return text.lastHour;
  return text.lastMinutes(Math.max(1, Math.round(oldest.secondsAgo / 60)));
}

const secondsSince = (moment: string): number => Math.max(0, (Date.now() - Date.parse(moment)) / 1000);
