import { wallPlus, wallTimeOf, type WallTime } from "@followspot/contract";
import type { Event } from "@followspot/contract/event";
import { toDate } from "../../lib/formatting.ts";
import type { Day } from "./calendar-days.ts";

/** Event with its times by its own clock. */
export interface PlacedEvent {
  readonly event: Event;
  readonly from: WallTime;
  readonly until: WallTime;
  readonly firstDay: Day;
  /** Last day of the event. An event that ends at midnight does not include the day that starts then. */
  readonly lastDay: Day;
}

/** Returns the events that have a start and an end, sorted by start; of equal starts, longer events first. */
export function placeEvents(events: readonly Event[]): readonly PlacedEvent[] {
  return events.flatMap((event) => placedOf(event) ?? []).sort(byStart);
}

function placedOf(event: Event): PlacedEvent | undefined {
  const [start, end] = [toDate(event.startsAt), toDate(event.endsAt)];
  if (!start || !end) return undefined;
  const from = wallTimeOf(start, event.timeZone);
  const until = wallTimeOf(end, event.timeZone);
  const lastDay = dayOf(wallPlus(until, -1));
  return { event, from, until, firstDay: dayOf(from), lastDay: lastDay < dayOf(from) ? dayOf(from) : lastDay };
}

const byStart = (a: PlacedEvent, b: PlacedEvent) =>
  a.from.localeCompare(b.from) || b.until.localeCompare(a.until) || a.event.id.localeCompare(b.event.id);

export const isOn = ({ firstDay, lastDay }: PlacedEvent, day: Day): boolean => firstDay <= day && day <= lastDay;

/** Part of an event within one week, drawn as a bar across its days. */
export interface Bar {
  readonly placed: PlacedEvent;
  /** First column; 0 is Monday. */
  readonly column: number;
  readonly columns: number;
  /** Lane within the week, from 0. Bars that share a day are in different lanes. */
  readonly lane: number;
}

export function barsOf(week: readonly Day[], placed: readonly PlacedEvent[]): readonly Bar[] {
  const taken: Day[] = []; // per lane, the last day with a bar
  return placed.flatMap((each) => {
    const days = week.filter((day) => isOn(each, day));
    if (days.length === 0) return [];
    const free = taken.findIndex((last) => last < days[0]!);
    const lane = free < 0 ? taken.length : free;
    taken[lane] = days.at(-1)!;
    return [{ placed: each, column: week.indexOf(days[0]!), columns: days.length, lane }];
  });
}

/** Part of an event on one day. */
export interface Piece {
  readonly placed: PlacedEvent;
  /** Start, minutes after midnight, 0 to 1440. */
  readonly fromMinute: number;
  readonly untilMinute: number;
  readonly lane: number;
  /** Number of lanes side by side at this piece. */
  readonly lanes: number;
}

/** Minimum height of a piece, as a duration in minutes; a lower piece is unreadable. */
export const LEAST_MINUTES = 30;
const DAY_MINUTES = 24 * 60;

export function piecesOf(day: Day, placed: readonly PlacedEvent[]): readonly Piece[] {
  const pieces: (Omit<Piece, "lanes"> & { readonly group: number })[] = [];
  let group = -1;
  let groupEnd = 0;
  let taken: number[] = []; // per lane, the minute from which it is free
  for (const each of placed.filter((one) => isOn(one, day))) {
    const fromMinute = each.firstDay < day ? 0 : minuteOf(each.from);
    const untilMinute = each.lastDay > day || dayOf(each.until) > day ? DAY_MINUTES : minuteOf(each.until);
    if (group < 0 || fromMinute >= groupEnd) {
      group += 1;
      taken = [];
      groupEnd = 0;
    }
    const end = Math.max(untilMinute, fromMinute + LEAST_MINUTES);
    const free = taken.findIndex((minute) => minute <= fromMinute);
    const lane = free < 0 ? taken.length : free;
    taken[lane] = end;
    groupEnd = Math.max(groupEnd, end);
    pieces.push({ placed: each, fromMinute, untilMinute, lane, group });
  }
  return pieces.map(({ group: own, ...piece }) => {
    const lanes = Math.max(...pieces.filter((other) => other.group === own).map((other) => other.lane)) + 1;
    return { ...piece, lanes };
  });
}

const dayOf = (wall: WallTime): Day => wall.slice(0, 10);
const minuteOf = (wall: WallTime): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16));
