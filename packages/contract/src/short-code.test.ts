import { expect, test } from "vitest";
import { groupShortCode, readShortCode, SHORT_CODE_ALPHABET } from "./short-code.ts";

test("has no two characters that look alike", () => {
  for (const pair of ["0O", "1I", "1L", "IL", "5S", "8B", "2Z", "UV"])
    expect([pair, [...pair].every((each) => SHORT_CODE_ALPHABET.includes(each))]).toEqual([pair, false]);
});

test.each([
  ["K7M2QX", "K7M2QX"],
  ["k7m 2qx", "K7M2QX"],
  [" K7M-2QX\n", "K7M2QX"],
  ["K7MZQX", "K7M2QX"],
  ["sbzuXY", "582VXY"],
  ["K7M2Q", undefined],
  ["K7M2QXX", undefined],
  ["K0M2QX", undefined],
  ["Robert", undefined],
  ["Martin", undefined],
  ["FS1.AB", undefined],
  ["", undefined],
])("reads %j as %s", (typed, code) => {
  expect(readShortCode(typed)).toBe(code);
});

test("reads what it formats", () => {
  expect(groupShortCode("K7M2QX")).toBe("K7M 2QX");
  expect(readShortCode(groupShortCode("K7M2QX"))).toBe("K7M2QX");
});
