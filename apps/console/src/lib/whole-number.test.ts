import { expect, test } from "vitest";
import { wholeNumber } from "./whole-number.ts";

// kept: Console | An announcement of "30 s" stayed until something else was shown | also
test.each([
  ["0", 0],
  [" 30 ", 30],
  ["86400", 86_400],
  ["86401", undefined],
  ["", undefined],
  [" ", undefined],
  ["30 s", undefined],
  ["1:30", undefined],
  ["-5", undefined],
  ["2.5", undefined],
  ["1e3", undefined],
  ["0x1e", undefined],
  ["half a minute", undefined],
])("parses %j as %s", (typed, value) => {
  expect(wholeNumber(typed, 86_400)).toBe(value);
});
