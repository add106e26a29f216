import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterEach, describe, expect, it, vi } from "vitest";
import { columnOf, hoursOf, layOut, STEP_PX, stepFrom, timeAt, topOf } from "./schedule-layout.ts";

const ms = (time: string) => Date.parse(`2026-05-01T${time}Z`);
const at = (time: string) => timestampFromDate(new Date(ms(time)));
const column = columnOf({ startsAt: at("20:02:00"), endsAt: at("22:58:00") })!;
const talk = (title: string, time?: string) => ({ title, ...(time !== undefined && { startAt: at(time) }) });
const clock = (time: number) => new Date(time).toISOString().slice(11, 19);

afterEach(() => vi.unstubAllEnvs());

describe("the column of an event", () => {
  it("has whole steps of five minutes around it, and twelve pixels for each", () => {
    expect([clock(column.fromMs), clock(column.toMs)]).toEqual(["20:00:00", "23:00:00"]);
    expect(topOf(ms("21:00:00"), column)).toBe(12 * STEP_PX);
    expect(columnOf({ startsAt: at("20:00:00") })).toBeUndefined();
  });

  it("marks full hours on the clock of its event, or else of the reader, whatever their zone is off by", () => {
    const halfHours = ["20:30:00", "21:30:00", "22:30:00"];
    expect(hoursOf(column, "Asia/Kolkata").map(clock)).toEqual(halfHours); // 5:30 ahead
    vi.stubEnv("TZ", "Asia/Kolkata");
    expect(hoursOf(column, "").map(clock)).toEqual(halfHours);
    expect(hoursOf(column, "Asia/Tokyo").map(clock)).toEqual(["20:00:00", "21:00:00", "22:00:00", "23:00:00"]);
  });
});

describe("a talk on its way", () => {
  it("goes to the nearest step under the pointer, and stays where a talk may begin", () => {
    const times = [0, STEP_PX * 0.6, STEP_PX * 12, -50, 9999].map((px) => clock(timeAt(px, column)));
    expect(times).toEqual(["20:00:00", "20:05:00", "21:00:00", "20:00:00", "22:55:00"]);
  });

  it("goes on by five minutes a key, from between two steps to the next one", () => {
    const step = (from: string, direction: 1 | -1) => clock(stepFrom(ms(from), direction, column));
    expect([step("21:00:00", 1), step("21:00:00", -1)]).toEqual(["21:05:00", "20:55:00"]);
    expect([step("21:02:00", 1), step("21:02:00", -1)]).toEqual(["21:05:00", "21:00:00"]);
    expect([step("22:55:00", 1), step("20:00:00", -1)]).toEqual(["22:55:00", "20:00:00"]);
  });
});

describe("the talks of an event", () => {
  it("stand on the schedule by their time, and beside it without one or with one outside", () => {
    const { placed, unscheduled, outside } = layOut(
      [talk("Late", "23:00:00"), talk("Two", "21:00:00"), talk("Some day"), talk("One", "20:30:00")],
      column,
    );
    expect(placed.map((each) => [each.talk.title, each.lanes])).toEqual([
      ["One", 1],
      ["Two", 1],
    ]);
    expect([unscheduled, outside].map((talks) => talks.map(({ title }) => title))).toEqual([["Some day"], ["Late"]]);
  });

  it("share the width while they would cover each other", () => {
    const times = { A: "20:00:00", B: "20:10:00", C: "20:20:00", D: "20:30:00", E: "21:00:00" };
    const { placed } = layOut(
      Object.entries(times).map(([title, time]) => talk(title, time)),
      column,
    );
    expect(placed.map((each) => [each.talk.title, each.lane, each.lanes])).toEqual([
      ["A", 0, 2],
      ["B", 1, 2],
      ["C", 0, 2],
      ["D", 1, 2],
      ["E", 0, 1],
    ]);
  });
});
