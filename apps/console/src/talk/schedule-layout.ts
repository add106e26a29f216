import { wallTimeOf } from "@followspot/contract";
import type { Talk } from "@followspot/contract/talk";
import { toDate } from "../lib/formatting.ts";
import { startOf, USUAL_TALK_MS, type Span } from "./talk-times.ts";

/** Talks are moved by this much. */
export const STEP_MS = 5 * 60_000;
/** Height of a step, in pixels. */
export const STEP_PX = 12;
/** Height of a talk, in pixels. */
export const TALK_PX = (USUAL_TALK_MS / STEP_MS) * STEP_PX;
const HOUR_MS = 3600_000;

/** The time a schedule shows: whole steps around an event. ms since 1970 */
export interface Column {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A talk on the schedule; those that would cover each other stand side by side. */
export interface PlacedTalk<Each> {
  readonly talk: Each;
  /** ms since 1970 */
  readonly startMs: number;
  /** From 0; `lanes` of them share the width. */
  readonly lane: number;
  readonly lanes: number;
}

export function columnOf({ startsAt, endsAt }: Span): Column | undefined {
  const [start, end] = [toDate(startsAt)?.getTime(), toDate(endsAt)?.getTime()];
  if (start === undefined || end === undefined || end <= start) return undefined;
  return { fromMs: Math.floor(start / STEP_MS) * STEP_MS, toMs: Math.ceil(end / STEP_MS) * STEP_MS };
}

/** Where the talks of an event stand: on the schedule by their time, or beside it. */
export function layOut<Each extends Pick<Talk, "startAt">>(talks: readonly Each[], { fromMs, toMs }: Column) {
  const timed = talks.map((talk) => ({ talk, startMs: startOf(talk) }));
  const isWithin = (ms: number | undefined): ms is number => ms !== undefined && ms >= fromMs && ms < toMs;
  return {
    placed: inLanes(timed.flatMap(({ talk, startMs }) => (isWithin(startMs) ? [{ talk, startMs }] : []))),
    unscheduled: timed.flatMap(({ talk, startMs }) => (startMs === undefined ? [talk] : [])),
    outside: timed.flatMap(({ talk, startMs }) => (startMs === undefined || isWithin(startMs) ? [] : [talk])),
  };
}

function inLanes<Each>(talks: readonly { readonly talk: Each; readonly startMs: number }[]): PlacedTalk<Each>[] {
  const placed: PlacedTalk<Each>[] = [];
  /** Ends of the lanes of talks that cover each other in a row, and where those begin in `placed`. */
  let [ends, first]: [number[], number] = [[], 0];
  const close = () => {
    for (let at = first; at < placed.length; at++) placed[at] = { ...placed[at]!, lanes: ends.length };
    [ends, first] = [[], placed.length];
  };
  for (const { talk, startMs } of talks.toSorted((a, b) => a.startMs - b.startMs)) {
    if (ends.every((end) => end <= startMs)) close();
    const free = ends.findIndex((end) => end <= startMs);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = startMs + USUAL_TALK_MS;
    placed.push({ talk, startMs, lane, lanes: 1 });
  }
  close();
  return placed;
}

/** Where across the column a lane is. */
export const acrossOf = ({ lane, lanes }: Pick<PlacedTalk<unknown>, "lane" | "lanes">) => ({
  left: `${(lane / lanes) * 100}%`,
  width: `${100 / lanes}%`,
});

/** Pixels from the top of the column. */
export const topOf = (ms: number, { fromMs }: Column): number => ((ms - fromMs) / STEP_MS) * STEP_PX;

/** The step nearest to so many pixels from the top of the column. */
export const timeAt = (px: number, column: Column): number =>
  within(column.fromMs + Math.round(px / STEP_PX) * STEP_MS, column);

/** The next step later or earlier. */
export const stepFrom = (ms: number, direction: 1 | -1, column: Column): number =>
  within(direction > 0 ? (Math.floor(ms / STEP_MS) + 1) * STEP_MS : (Math.ceil(ms / STEP_MS) - 1) * STEP_MS, column);

/** The same moment, or the nearest in which a talk may begin. */
export const within = (ms: number, { fromMs, toMs }: Column): number =>
  Math.min(toMs - STEP_MS, Math.max(fromMs, Math.round(ms / STEP_MS) * STEP_MS));

/** Full hours on the clock of a zone. ms since 1970 @param zone empty: the reader's own */
export function hoursOf({ fromMs, toMs }: Column, zone: string): readonly number[] {
  const minutesPast = Number(wallTimeOf(new Date(fromMs), zone).slice(14, 16));
  const hours: number[] = [];
  for (let ms = fromMs - minutesPast * 60_000; ms <= toMs; ms += HOUR_MS) if (ms >= fromMs) hours.push(ms);
  return hours;
}
