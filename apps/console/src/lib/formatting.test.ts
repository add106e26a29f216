import { expect, test } from "vitest";
import {
  byteSize,
  clockFace,
  clockTime,
  dateTime,
  relativeTime,
  songDuration,
  timeOfDay,
  timeSince,
} from "./formatting.ts";

test("formats a duration as m:ss, or N/A while unknown", () => {
  expect([0, Number.NaN, 5, 65, 228.9, 3600].map(songDuration)).toEqual([
    "N/A",
    "N/A",
    "0:05",
    "1:05",
    "3:48",
    "60:00",
  ]);
});

test("formats song time as mm:ss", () => {
  expect([-1, 0, 65.9, 6000].map(clockTime)).toEqual(["00:00", "00:00", "01:05", "100:00"]);
});

test("formats bytes in base 1024 with two decimals", () => {
  expect([0, 1023, 1024, 1536 * 1024, 5 * 1024 ** 4].map(byteSize)).toEqual([
    "0.00 B",
    "1023.00 B",
    "1.00 KB",
    "1.50 MB",
    "5120.00 GB",
  ]);
});

test("formats a time like Jan 5, 2025, 3:30 PM", () => {
  expect(dateTime(new Date(2025, 0, 5, 15, 30))).toBe("Jan 5, 2025, 3:30 PM");
});

test("formats the time since an event in the largest unit that fits", () => {
  const now = new Date(2025, 0, 5, 12);
  const ago = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now);
  expect([10, 90, 7200, 86_400, -172_800].map(ago)).toEqual([
    "just now",
    "1 minute ago",
    "2 hours ago",
    "yesterday",
    "in 2 days",
  ]);
});

test("formats a duration in the largest unit that fits", () => {
  const now = new Date(2025, 0, 5, 12);
  const since = (seconds: number) => timeSince(new Date(now.getTime() - seconds * 1000), now);
  expect([-5, 10, 90, 400, 7200, 90_000].map(since)).toEqual([
    "a moment",
    "a moment",
    "1 minute",
    "6 minutes",
    "2 hours",
    "1 day",
  ]);
});

// kept: Console | Tonight's clock had 24 hours, and the times beside it had twelve | failed on the old code
test.each([
  ["2026-05-01T14:16:59Z", "UTC"],
  ["2026-05-01T00:05:07Z", "UTC"],
  ["2026-05-01T03:00:00Z", "Asia/Kolkata"],
])("a clock face at %s in %s shows the time of day with seconds", (at, zone) => {
  const [large, small] = clockFace(new Date(at), zone);
  expect((large + small).replace(/:\d\d (?=[AP]M$)/, " ")).toBe(timeOfDay(new Date(at), zone));
  expect(small.slice(1, 3)).toBe(at.slice(17, 19));
});
