import { wallPlus, wallTimeOf, type WallTime } from "@followspot/contract";
import type { Event } from "@followspot/contract/event";
import { toDate } from "../../lib/formatting.ts";
import type { Day } from "./calendar-days.ts";

/** An event by its own clock. */
export interface PlacedEvent {
  readonly event: Event;
  readonly from: WallTime;
  readonly until: WallTime;
  readonly firstDay: Day;
  /** What ends at midnight is not on the day that begins then. */
  readonly lastDay: Day;
}

/** Events with a start and an end, by start; longer ones first. */
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

/** An event on the days of one week, side by side. */
export interface Bar {
  readonly placed: PlacedEvent;
  /** 0 is Monday. */
  readonly column: number;
  readonly columns: number;
  /** Bars of one day have lanes of their own; from 0. */
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

/** The part of an event that is on one day. */
export interface Piece {
  readonly placed: PlacedEvent;
  /** Minutes after midnight, 0 to 1440. */
  readonly fromMinute: number;
  readonly untilMinute: number;
  readonly lane: number;
  /** Lanes side by side where this piece is. */
  readonly lanes: number;
}

/** A piece is as high as one of so many minutes at least: lower ones could not be read. */
export const LEAST_MINUTES = 30;
const DAY_MINUTES = 24 * 60;

export function piecesOf(day: Day, placed: readonly PlacedEvent[]): readonly Piece[] {
  const pieces: (Omit<Piece, "lanes"> & { readonly group: number })[] = [];
  let group = -1;
  let groupEnd = 0;
  let taken: number[] = []; // per lane, the minute where it is free again
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
