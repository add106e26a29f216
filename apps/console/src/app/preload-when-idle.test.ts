import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { preloadWhenIdle } from "./preload-when-idle.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Parts that write down when they are read. */
function parts() {
  const read: string[] = [];
  const part = (name: string) => ({ preload: async () => void read.push(name) });
  return { read, all: [part("users"), part("events")] };
}

// kept: Console | Without a network a click on a tab ended in the browser's error page | also
test("reads every part once the browser has time", async () => {
  const { read, all } = parts();
  preloadWhenIdle(all);
  expect(read).toEqual([]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toEqual(["users", "events"]);
});

test("waits while the screen waits for an answer, and in between parts as well", async () => {
  const { read, all } = parts();
  let isWaiting = true;
  preloadWhenIdle(all, () => isWaiting);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(read).toEqual([]);
  isWaiting = false;
  await vi.advanceTimersByTimeAsync(2500);
  expect(read).toEqual(["users"]);
  isWaiting = true;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(read).toEqual(["users"]);
  isWaiting = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toEqual(["users", "events"]);
});

test("stops with the page", async () => {
  const { read, all } = parts();
  preloadWhenIdle(all)();
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toEqual([]);
});

test("reads nothing ahead for people who save data", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  const { read, all } = parts();
  preloadWhenIdle(all);
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toEqual([]);
});
