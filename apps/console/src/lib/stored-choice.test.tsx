// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { createStoredChoice } from "./stored-choice.ts";

const KEY = "followspot.test";
const SIZES = ["small", "large"] as const;
const open = () => createStoredChoice<(typeof SIZES)[number]>(KEY, SIZES, "small");

beforeEach(() => localStorage.clear());

test("stores the chosen value, and ignores a stored value that is none of the choices", () => {
  open().choose("large");
  expect(open().get()).toBe("large");
  localStorage.setItem(KEY, "huge");
  expect(open().get()).toBe("small");
});

// kept: Console | A second tab kept its theme and row height when they were changed in the first | failed on the old code
test.each([
  ["another value", KEY, "large", "large"],
  ["a value that is none of the choices", KEY, "huge", "small"],
  ["another key", "followspot.other", "large", "small"],
  ["a cleared storage", null, null, "small"],
])("follows a change in another tab: %s", (_, key, newValue, expected) => {
  const choice = open();
  let changes = 0;
  choice.subscribe(() => changes++);
  // Browsers send this event to the other tabs of the same origin only.
  dispatchEvent(new StorageEvent("storage", { key, newValue }));
  expect([choice.get(), changes]).toEqual([expected, expected === "large" ? 1 : 0]);
});
