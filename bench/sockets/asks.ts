/** What the listeners are asked, by `process.send`. */
export type Ask =
  | { readonly do: "join"; readonly port: number; readonly path: string; readonly hellos: readonly string[] }
  /** @param begun when each event was asked for, on the clock of {@link clockMs} */
  | { readonly do: "tell"; readonly begun: readonly number[] }
  | { readonly do: "leave" };

/** What they heard of all events, and how long after each was asked for. */
export interface Heard {
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
  readonly lost: number;
  readonly doubled: number;
  readonly closed: number;
}

/** What an event carries before its number. */
export const MARK = "bench event ";
/** Milliseconds on a clock that all processes of a machine share, to some microseconds. */
export const clockMs = (): number => performance.timeOrigin + performance.now();
