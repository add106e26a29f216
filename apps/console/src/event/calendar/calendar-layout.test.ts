import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EventSchema } from "@followspot/contract/event";
import { expect, test } from "vitest";
import { weeksOf } from "./calendar-days.ts";
import { barsOf, isOn, piecesOf, placeEvents } from "./calendar-layout.ts";

const [week = []] = weeksOf("week", "2026-05-06"); // Monday, May 4, to Sunday, May 10
const event = (id: string, from: string, until: string, timeZone = "UTC") =>
  create(EventSchema, {
    id,
    startsAt: timestampFromDate(new Date(`${from}Z`)),
    endsAt: timestampFromDate(new Date(`${until}Z`)),
    timeZone,
  });
const bars = (...events: ReturnType<typeof event>[]) =>
  barsOf(week, placeEvents(events)).map(({ placed, column, columns, lane }) => [
    placed.event.id,
    column,
    columns,
    lane,
  ]);

test("places an event on its days by its own clock", () => {
  const [tokyo] = placeEvents([event("t", "2026-05-04T16:00", "2026-05-04T18:00", "Asia/Tokyo")]);
  expect([tokyo!.firstDay, tokyo!.from]).toEqual(["2026-05-05", "2026-05-05T01:00:00"]);
  const [hawaii] = placeEvents([event("h", "2026-05-04T06:00", "2026-05-04T08:00", "Pacific/Honolulu")]);
  expect(hawaii!.firstDay).toBe("2026-05-03");
});

test("places a night on both days, and an event that ends at midnight on one day", () => {
  const [night] = placeEvents([event("n", "2026-05-08T20:00", "2026-05-09T02:00")]);
  expect(week.filter((day) => isOn(night!, day))).toEqual(["2026-05-08", "2026-05-09"]);
  const [evening] = placeEvents([event("e", "2026-05-08T20:00", "2026-05-09T00:00")]);
  expect(week.filter((day) => isOn(evening!, day))).toEqual(["2026-05-08"]);
});

test("puts bars that share a day into different lanes, and reuses free lanes", () => {
  expect(
    bars(
      event("long", "2026-05-01T10:00", "2026-05-06T10:00"),
      event("tuesday", "2026-05-05T20:00", "2026-05-05T22:00"),
      event("later", "2026-05-05T21:00", "2026-05-06T02:00"),
      event("thursday", "2026-05-07T20:00", "2026-05-07T22:00"),
      event("over the end", "2026-05-10T20:00", "2026-05-11T02:00"),
      event("next week", "2026-05-11T20:00", "2026-05-11T22:00"),
    ),
  ).toEqual([
    ["long", 0, 3, 0],
    ["tuesday", 1, 1, 1],
    ["later", 1, 2, 2],
    ["thursday", 3, 1, 0],
    ["over the end", 6, 1, 0],
  ]);
});

test("splits a night into one piece per day, and puts simultaneous pieces side by side", () => {
  const placed = placeEvents([
    event("night", "2026-05-08T20:00", "2026-05-09T02:00"),
    event("same time", "2026-05-08T21:00", "2026-05-08T23:00"),
    event("noon", "2026-05-08T12:00", "2026-05-08T12:10"),
    event("until midnight", "2026-05-07T22:00", "2026-05-08T00:00"),
  ]);
  const pieces = (day: string) =>
    piecesOf(day, placed).map(({ placed: { event: of }, fromMinute, untilMinute, lane, lanes }) => [
      of.id,
      fromMinute,
      untilMinute,
      lane,
      lanes,
    ]);
  expect(pieces("2026-05-07")).toEqual([["until midnight", 1320, 1440, 0, 1]]);
  expect(pieces("2026-05-08")).toEqual([
    ["noon", 720, 730, 0, 1],
    ["night", 1200, 1440, 0, 2],
    ["same time", 1260, 1380, 1, 2],
  ]);
  expect(pieces("2026-05-09")).toEqual([["night", 0, 120, 0, 1]]);
});
