import { cx } from "../ui/class-names.ts";
import { HOUR_SECONDS, type TrendPoint } from "../ui/trend-path.ts";
import { Trend } from "../ui/trend.tsx";
import { workersStrings as text } from "./workers.strings.ts";

/** One hour minus the sampling interval, s. */
const WHOLE_HOUR_SECONDS = HOUR_SECONDS - 60;

interface LagProps {
  readonly waiting: number;
  /** ISO time at which the oldest waiting message arrived; empty if none waits. */
  readonly oldestWaitingAt: string;
  /** Trend points, oldest first. */
  readonly trend: readonly TrendPoint[];
  /** Time at which this was loaded, ms. */
  readonly readAt: number;
}

/** Lag of a stream's consumers: number of waiting messages, age of the oldest, and the trend. */
export function LagLine({ waiting, oldestWaitingAt, trend, readAt }: LagProps) {
  const isBehind = waiting > 0;
  const points = [...trend, { secondsAgo: 0, waiting }];
  const highest = Math.max(...points.map((point) => point.waiting));
  return (
    <dl className="grid grid-cols-2 gap-x-3 gap-y-2 rounded-md bg-raised px-3 py-2 sm:grid-cols-[1fr_1fr_auto]">
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
        <dt className="text-xs text-muted">
          {sayPeriod(trend)}
          {trend.length > 0 && ` · ${text.atMost(highest)}`}
        </dt>
        <dd className="mt-1">
          <Trend points={points} readAt={readAt} label={text.trendOf(highest, waiting)} />
        </dd>
      </div>
    </dl>
  );
}

/** Returns the text for the period of the trend: one hour, or less if the server has not run that long. */
function sayPeriod(points: readonly TrendPoint[]): string {
  const [oldest] = points;
  if (!oldest) return text.noTrend;
  if (oldest.secondsAgo >= WHOLE_HOUR_SECONDS) return text.lastHour;
  return text.lastMinutes(Math.max(1, Math.round(oldest.secondsAgo / 60)));
}

const secondsSince = (moment: string): number => Math.max(0, (Date.now() - Date.parse(moment)) / 1000);
