import { expect, test } from "vitest";
import { coordinate, eventRules, toFieldTime } from "./event-rules.ts";

test("requires a title, a start and a later end", () => {
  expect(eventRules.title("")).toBe("Title is required");
  expect(eventRules.start("")).toBe("Start date/time is required");
  expect(eventRules.end("", { start: "2025-01-05T15:30" })).toBe("End date/time is required");
  expect(eventRules.end("2025-01-05T15:30", { start: "2025-01-05T15:30" })).toBe("End date must be after start date");
  expect(eventRules.end("2025-01-05T15:31", { start: "2025-01-05T15:30" })).toBe(true);
});

test("counts a coordinate that is no number as 0", () => {
  expect(["48.85", "-2,5", "", "north"].map(coordinate)).toEqual([48.85, -2.5, 0, 0]);
});

test("shows a moment the way a date field wants it", () => {
  expect(toFieldTime(new Date(2025, 0, 5, 15, 30))).toBe("2025-01-05T15:30");
  expect(toFieldTime(undefined)).toBe("");
});
