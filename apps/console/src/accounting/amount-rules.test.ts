import { expect, test } from "vitest";
import { amountError, parseAmount } from "./amount-rules.ts";

test.each(["", "0", "-1", "1.5", "1e3", "1,000", "ten", "1000000001", "99999999999999"])(
  "refuses the amount %j",
  (typed) => {
    expect(amountError(typed)).toContain("whole number from 1");
    expect(parseAmount(typed)).toBeUndefined();
  },
);

test("takes whole pieces as they are typed, with space around them", () => {
  expect([parseAmount("1"), parseAmount(" 250 "), parseAmount("1000000000")]).toEqual([1n, 250n, 1_000_000_000n]);
});

test("spends no more than there is", () => {
  expect(amountError("21", 20n)).toBe("There are only 20 gold");
  expect(parseAmount("20", 20n)).toBe(20n);
});
