import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { every } from "./every.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("repeats until it is ended", async () => {
  const work = vi.fn(async () => {});
  const end = every(1000, "the sweep", work, () => {});
  await vi.advanceTimersByTimeAsync(3500);
  expect(work).toHaveBeenCalledTimes(3);
  end();
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(3);
});

test("never runs twice at the same time, however slow it is", async () => {
  let finish = () => {};
  const work = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const end = every(1000, "the sweep", work, () => {});
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).toHaveBeenCalledTimes(1);
  finish();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(2);
  end();
});

test("logs a failure with its name, and runs again at the next turn", async () => {
  const warnings: string[] = [];
  let turns = 0;
  const work = async () => {
    if (++turns === 1) throw new Error("no space left");
  };
  const end = every(1000, "the sweep", work, (warning) => warnings.push(warning));
  await vi.advanceTimersByTimeAsync(2000);
  expect([warnings, turns]).toEqual([["the sweep failed: no space left"], 2]);
  end();
});
