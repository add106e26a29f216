import { timeOfDay } from "../lib/formatting.ts";
import { nightStrings } from "./night.strings.ts";
import type { PeopleSum } from "./people-plot.ts";

const text = nightStrings.report;
const HEIGHT = 64;
const BAR = 10;

/** Who came when, as bars; and how many were in, as a line. @param zone of the event */
export function PeopleChart({ bars, zone }: { readonly bars: readonly PeopleSum[]; readonly zone: string }) {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const total = last.inside;
  const busiest = bars.reduce((most, bar) => (bar.came > most.came ? bar : most));
  const width = bars.length * BAR;
  const line = bars.map(
    ({ inside }, i) => `${i === 0 ? "M" : "L"}${i * BAR + BAR / 2} ${HEIGHT - (inside / total) * HEIGHT}`,
  );
  const [from, to] = [timeOfDay(new Date(first.at), zone), timeOfDay(new Date(last.until), zone)];
  return (
    <figure className="p-3">
      <svg
        className="block h-24 w-full border-b"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text.peopleOver(total, from, to)}
      >
        {bars.map(({ at, came }, i) => {
          const height = (came / busiest.came) * HEIGHT;
          return (
            <rect
              key={at}
              className="fill-accent/40"
              x={i * BAR + 1}
              width={BAR - 2}
              y={HEIGHT - height}
              height={height}
            />
          );
        })}
        <path
          className="fill-none stroke-accent [stroke-width:1.5] [vector-effect:non-scaling-stroke]"
          d={line.join("")}
        />
      </svg>
      <figcaption className="text-xs text-muted">
        <span className="flex justify-between gap-3">
          <span>{from}</span> <span>{to}</span>
        </span>
        {text.most(busiest.came, timeOfDay(new Date(busiest.at), zone))}
      </figcaption>
    </figure>
  );
}
