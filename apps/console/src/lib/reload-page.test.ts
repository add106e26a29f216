// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reloadIfServed } from "./reload-page.ts";

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test("reloads the page if the server responds, but not repeatedly", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response()));
  const reload = vi.fn();
  void reloadIfServed(reload);
  await expect.poll(() => reload).toHaveBeenCalledOnce();
  await reloadIfServed(reload);
  expect(reload).toHaveBeenCalledOnce();
});

// kept: Console | Without a network a click on a tab ended in the browser's error page | failed with the fault put back
test("stays on the page if the server does not respond", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const reload = vi.fn();
  await reloadIfServed(reload);
  expect(reload).not.toHaveBeenCalled();
});
