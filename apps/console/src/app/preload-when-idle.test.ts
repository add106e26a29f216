import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { preloadWhenIdle } from "./preload-when-idle.ts";

let width: number;
beforeEach(() => {
  vi.useFakeTimers();
  width = 1440;
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: width >= Number(/(\d+)px/.exec(query)?.[1]) }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Creates parts that record when they are loaded. */
function parts() {
  const read: string[] = [];
  const part = (name: string) => ({ preload: async () => void read.push(name) });
  return { read, all: [part("users"), part("events")] };
}

// kept: Console | Without a network a click on a tab ended in the browser's error page | also
test("loads every part once the browser is idle", async () => {
  const { read, all } = parts();
  preloadWhenIdle(all);
  expect(read).toEqual([]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toEqual(["users", "events"]);
});

test("waits while the screen waits for an answer, also between parts", async () => {
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

test("stops when the page unmounts", async () => {
  const { read, all } = parts();
  preloadWhenIdle(all)();
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toEqual([]);
});

test("preloads nothing in data-saver mode", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  const { read, all } = parts();
  preloadWhenIdle(all);
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toEqual([]);
});

// kept: Console | Each phone loaded the files of all screens, half a megabyte, after its first one | failed on the old code
test.each([
  [360, []],
  [1023, []],
  [1024, ["users", "events"]],
])("on a screen of %i px, preloads %j", async (px, loaded) => {
  width = px;
  const { read, all } = parts();
  preloadWhenIdle(all);
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toEqual(loaded);
});
