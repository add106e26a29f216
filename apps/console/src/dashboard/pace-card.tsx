import type { ReactNode } from "react";
import { useCan } from "../auth/can.ts";
import { timeOfDay } from "../lib/formatting.ts";
import { Bars } from "../ui/bars.tsx";
import { Skeleton } from "../ui/states.tsx";
import { useSongQueues, type PaceHour } from "./dashboard.queries.ts";
import { dashboardStrings, startOfHour } from "./dashboard.strings.ts";
import { CARD } from "./number-card.tsx";

const text = dashboardStrings.pace;
const HOURS = 24;

/** Of songs that came in within the last day: how many were lit in each hour, and how long that took. */
export function PaceCard() {
  const { data, error } = useSongQueues();
  if (!useCan()("seeQueues")) return null;
  return (
    <section aria-label={text.title} className={CARD}>
      <h2 className="text-xs font-medium text-muted">{text.title}</h2>
      <div className="flex min-h-34 flex-col gap-3 py-1">
        {data?.day ? (
          <Plots {...data.day} />
        ) : data ? (
          <p className="text-muted">{text.none}</p>
        ) : error ? (
          <p className="wrap-anywhere text-danger">{error.message}</p>
        ) : (
          <Skeleton className="h-24" />
        )}
      </div>
    </section>
  );
}

function Plots({
  lit,
  seconds,
  hours,
}: {
  readonly lit: number;
  readonly seconds: number;
  readonly hours: readonly PaceHour[];
}) {
  // The oldest first.
  const agoOf = (at: number) => HOURS - 1 - at;
  const day = Array.from({ length: HOURS }, (_, at) => hours.find(({ hoursAgo }) => hoursAgo === agoOf(at)));
  return (
    <>
      <Row
        name={text.lit}
        value={lit.toLocaleString("en")}
        most={Math.max(...hours.map((hour) => hour.lit)).toLocaleString("en")}
      >
        <Bars
          values={day.map((hour) => hour?.lit ?? 0)}
          label={text.litByHour}
          say={(songs, at) => text.litThen(songs, agoOf(at))}
        />
      </Row>
      <Row
        name={text.toLight}
        value={text.duration(seconds)}
        most={text.duration(Math.max(...hours.map((hour) => hour.seconds)))}
      >
        <Bars
          values={day.map((hour) => hour?.seconds ?? 0)}
          label={text.toLightByHour}
          say={(_, at) => text.toLightThen(day[at], agoOf(at))}
        />
        <span aria-hidden className="flex justify-between text-[11px] leading-4 text-muted">
          <span>{timeOfDay(startOfHour(HOURS - 1))}</span>
          <span>{text.now}</span>
        </span>
      </Row>
    </>
  );
}

function Row({
  name,
  value,
  most,
  children,
}: {
  readonly name: string;
  readonly value: string;
  readonly most: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="grid grid-cols-[8.5rem_minmax(0,1fr)] items-end gap-3">
      <dl className="text-xs text-muted">
        <dt>{name}</dt>
        <dd className="text-lg leading-6 font-semibold text-fg tabular-nums">{value}</dd>
        <dd>{text.highestHour(most)}</dd>
      </dl>
      <div>{children}</div>
    </div>
  );
}
