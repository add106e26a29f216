import { expect, test, vi } from "vitest";
import { daysAfter, isDay, titleOf, today, turned, weeksOf } from "./calendar-days.ts";

test("a month has four to six whole weeks, starting on Monday", () => {
  const ends = (day: string) => {
    const weeks = weeksOf("month", day);
    return [weeks.length, weeks[0]![0], weeks.at(-1)![6]];
  };
  expect(ends("2026-05-17")).toEqual([5, "2026-04-27", "2026-05-31"]);
  expect(ends("2027-02-01")).toEqual([4, "2027-02-01", "2027-02-28"]);
  expect(ends("2026-08-31")).toEqual([6, "2026-07-27", "2026-09-06"]);
});

test("a week contains its day, also at the turn of the year", () => {
  expect(weeksOf("week", "2027-01-01")).toEqual([
    ["2026-12-28", "2026-12-29", "2026-12-30", "2026-12-31", "2027-01-01", "2027-01-02", "2027-01-03"],
  ]);
});

test("steps by months and weeks, to the last day if the same day does not exist", () => {
  expect([turned("month", "2026-01-31", 1), turned("month", "2026-03-31", -1)]).toEqual(["2026-02-28", "2026-02-28"]);
  expect([turned("month", "2026-12-15", 1), turned("month", "2026-01-15", -1)]).toEqual(["2027-01-15", "2025-12-15"]);
  expect([turned("week", "2026-12-30", 1), turned("week", "2026-03-30", -1)]).toEqual(["2027-01-06", "2026-03-23"]);
  expect(turned("month", "9999-12-15", 1)).toBe("9999-12-15");
});

test("validates calendar days", () => {
  expect(["2026-02-28", "2026-02-29", "2028-02-29", "1899-12-31", "26-1-1", 2026, undefined].map(isDay)).toEqual([
    true,
    false,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(daysAfter("2026-03-28", 2)).toBe("2026-03-30");
});

test("today is by the reader's own clock", () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  expect(today(new Date("2026-05-01T16:00:00Z"))).toBe("2026-05-02");
  vi.unstubAllEnvs();
});

test("names a month and a week", () => {
  expect(titleOf("month", "2026-05-17")).toBe("May 2026");
  expect(titleOf("week", "2026-05-06")).toBe("May 4 – 10, 2026");
});
