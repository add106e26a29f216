import { expect, test } from "vitest";
import { isTimeZone, momentOfWallTime, movedAlong, wallTimeOf } from "./zoned-time.ts";

const BERLIN = "Europe/Berlin";
const moment = (wall: string, zone = BERLIN) => momentOfWallTime(wall, zone).toISOString();

test("tells what clocks show in winter and in summer, at midnight and before 1970", () => {
  expect(wallTimeOf(new Date("2026-01-05T23:00:00Z"), BERLIN)).toBe("2026-01-06T00:00:00");
  expect(wallTimeOf(new Date("2026-07-05T22:00:30.9Z"), BERLIN)).toBe("2026-07-06T00:00:30");
  expect(wallTimeOf(new Date("1969-12-31T23:59:59Z"), "America/New_York")).toBe("1969-12-31T18:59:59");
});

test("finds the moment of a wall time on both sides of a change of daylight time", () => {
  expect(moment("2026-03-29T01:59:59")).toBe("2026-03-29T00:59:59.000Z");
  expect(moment("2026-03-29T03:00:00")).toBe("2026-03-29T01:00:00.000Z");
  expect(moment("2026-10-25T01:59:59")).toBe("2026-10-24T23:59:59.000Z");
  expect(moment("2026-10-25T03:00:00")).toBe("2026-10-25T02:00:00.000Z");
});

test("takes the first of an hour that comes twice, and counts on over one that is left out", () => {
  expect(moment("2026-10-25T02:30:00")).toBe("2026-10-25T00:30:00.000Z");
  expect(moment("2026-03-29T02:30:00")).toBe("2026-03-29T01:30:00.000Z");
});

test("moves along by the clock: nine in the evening stays nine over a change of daylight time", () => {
  const along = { from: new Date("2026-03-27T19:00:00Z"), to: new Date("2026-04-03T18:00:00Z"), zone: BERLIN };
  expect(movedAlong(new Date("2026-03-27T20:00:00Z"), along)).toEqual(new Date("2026-04-03T19:00:00Z"));
  expect(movedAlong(new Date("2026-03-28T00:30:00Z"), along)).toEqual(new Date("2026-04-03T23:30:00Z"));
});

test("knows names of zones and nothing else", () => {
  expect(["Europe/Berlin", "UTC", "", "+02:00", "Mars/Olympus"].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
