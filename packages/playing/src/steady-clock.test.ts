import { expect, it } from "vitest";
import { SteadyClock } from "./steady-clock.ts";

it("estimates the server's clock from the answer with the shortest round trip", () => {
  const clock = new SteadyClock();
  expect(clock.aheadMs).toBeUndefined();
  clock.said(10_000, 40);
  expect(clock.aheadMs).toBe(9960);
  // The true offset is 9,990 ms: 5 ms each way, and then one slow way back of 80 ms.
  clock.answered(100, 10_095, 110);
  expect(clock.aheadMs).toBe(9990);
  clock.answered(200, 10_195, 285);
  expect(clock.aheadMs).toBe(9990);
});

it("discards old answers, because two clocks drift apart", () => {
  const clock = new SteadyClock();
  clock.answered(0, 5001, 2);
  for (let i = 1; i <= 12; i++) clock.answered(i * 1000, 5012 + i * 1000, i * 1000 + 20);
  expect(clock.aheadMs).toBe(5002);
});

it("discards the clock of a server that has restarted", () => {
  const clock = new SteadyClock();
  clock.answered(0, 900_000, 4);
  clock.said(12, 5000);
  expect(clock.aheadMs).toBe(-4988);
});

it("switches to another server's clock when that server has sent the queue", () => {
  const clock = new SteadyClock();
  clock.answered(0, 900_010, 20);
  clock.answered(1000, 40_002, 1004);
  expect(clock.aheadMs).toBe(900_000);
  clock.said(40_010, 1020);
  expect(clock.aheadMs).toBe(38_990);
  clock.answered(2000, 41_002, 2004);
  expect(clock.aheadMs).toBe(39_000);
});
