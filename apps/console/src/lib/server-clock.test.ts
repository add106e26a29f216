import { expect, test } from "vitest";
import { countdownText, ServerClock } from "./server-clock.ts";

test("tells the server's time whatever this machine's clock says, by the answer that was least late", () => {
  const clock = new ServerClock();
  clock.hear(1_000_000, 400); // came 300 ms late
  expect(clock.now(400)).toBe(1_000_000);
  clock.hear(1_001_000, 1110); // came 10 ms late
  expect(clock.now(1110)).toBe(1_001_000);
  clock.hear(1_001_000, 9000); // an old one, told again
  expect(clock.now(2110)).toBe(1_002_000);
});

test("goes by this machine's clock until the server has said anything", () => {
  const clock = new ServerClock();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(50);
  clock.hear(1_000, 0);
  clock.forget();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(50);
});

test("shows what is left as a clock does, and 0:00 only when nothing is", () => {
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
