import { expect, test } from "vitest";
import { countdownText, ServerClock } from "./server-clock.ts";

test("returns the server's time from the message with the lowest latency, whatever the local clock shows", () => {
  const clock = new ServerClock();
  clock.hear(1_000_000, 400); // 300 ms late
  expect(clock.now(400)).toBe(1_000_000);
  clock.hear(1_001_000, 1110); // 10 ms late
  expect(clock.now(1110)).toBe(1_001_000);
  clock.hear(1_001_000, 9000); // an older message, repeated
  expect(clock.now(2110)).toBe(1_002_000);
});

test("uses the local clock until the server has sent a time", () => {
  const clock = new ServerClock();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(50);
  clock.hear(1_000, 0);
  clock.forget();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(50);
});

test("formats the remaining time like a clock, and 0:00 only at the end", () => {
  expect([60_000, 59_001, 59_000, 1, 0, -5000].map(countdownText)).toEqual([
    "1:00",
    "1:00",
    "0:59",
    "0:01",
    "0:00",
    "0:00",
  ]);
  expect([3_600_000, 86_400_000, 3_661_000].map(countdownText)).toEqual(["1:00:00", "24:00:00", "1:01:01"]);
});
