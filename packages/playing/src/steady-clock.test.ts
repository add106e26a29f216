import { expect, it } from "vitest";
import { SteadyClock } from "./steady-clock.ts";

it("knows the server's clock by the answer that came back soonest", () => {
  const clock = new SteadyClock();
  expect(clock.aheadMs).toBeUndefined();
  clock.said(10_000, 40);
  expect(clock.aheadMs).toBe(9960);
  // The true clock is 9,990 ahead; there 5 ms and back 5 ms, then a slow way back of 80.
  clock.answered(100, 10_095, 110);
  expect(clock.aheadMs).toBe(9990);
  clock.answered(200, 10_195, 285);
  expect(clock.aheadMs).toBe(9990);
});

it("forgets a clock that is far in the past, as two quartzes run apart", () => {
  const clock = new SteadyClock();
  clock.answered(0, 5001, 2);
  for (let i = 1; i <= 12; i++) clock.answered(i * 1000, 5012 + i * 1000, i * 1000 + 20);
  expect(clock.aheadMs).toBe(5002);
});

it("forgets the clock of a server that was started again", () => {
  const clock = new SteadyClock();
  clock.answered(0, 900_000, 4);
  clock.said(12, 5000);
  expect(clock.aheadMs).toBe(-4988);
});

it("goes by the clock of another server from when that has said what plays", () => {
  const clock = new SteadyClock();
  clock.answered(0, 900_010, 20);
  clock.answered(1000, 40_002, 1004);
  expect(clock.aheadMs).toBe(900_000);
  clock.said(40_010, 1020);
  expect(clock.aheadMs).toBe(38_990);
  clock.answered(2000, 41_002, 2004);
  expect(clock.aheadMs).toBe(39_000);
});
