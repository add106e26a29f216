const QUARTER_MS = 15 * 60_000;
/** Longer nights are drawn by more than a quarter of an hour a bar. */
const MOST_BARS = 96;

/** Attendees who arrived in one time interval. */
export interface PeopleBar {
  /** ms since 1970 */
  readonly at: number;
  readonly came: number;
}

export interface PeopleSum extends PeopleBar {
  /** When the stretch ends, ms since 1970. */
  readonly until: number;
  /** Total number of arrivals by the end of the interval. */
  readonly inside: number;
}

/** Quarters of an hour from the first in which a person came to the last, those between without people included. */
export function peopleBars(quarters: readonly PeopleBar[]): readonly PeopleSum[] {
  const [first, last] = [quarters[0], quarters.at(-1)];
  if (!first || !last) return [];
  const stretch = QUARTER_MS * Math.max(1, Math.ceil(((last.at - first.at) / QUARTER_MS + 1) / MOST_BARS));
  const count = Math.floor((last.at - first.at) / stretch) + 1;
  const came = new Array<number>(count).fill(0);
  for (const quarter of quarters) came[Math.floor((quarter.at - first.at) / stretch)]! += quarter.came;
  let inside = 0;
  return came.map((n, i) => {
    const at = first.at + i * stretch;
    return { at, until: at + stretch, came: n, inside: (inside += n) };
  });
}
