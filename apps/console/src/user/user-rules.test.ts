import { expect, test } from "vitest";
import { userRules } from "./user-rules.ts";

test("requires a name", () => {
  expect(userRules.name(" ")).toBe("Name is required");
  expect(userRules.name("Mira")).toBe(true);
});

test("accepts an empty email or a plausible one", () => {
  expect(["", "a@b.co"].map(userRules.email)).toEqual([true, true]);
  expect(["a@b", "a b@c.de", "@c.de"].map(userRules.email)).toEqual(Array(3).fill("Invalid email address"));
});

test("accepts phones of digits, spaces, hyphens and parentheses after an optional plus", () => {
  expect(["", "+1 (555) 010-0000"].map(userRules.phone)).toEqual([true, true]);
  expect(["1+2", "++1", "555x"].map(userRules.phone)).toEqual(Array(3).fill("Invalid phone number"));
});
