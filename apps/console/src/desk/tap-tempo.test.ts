import { expect, it } from "vitest";
import { TapTempo } from "./tap-tempo.ts";

const tapped = (...at: number[]) => {
  const taps = new TapTempo();
  return at.map((ms) => taps.tap(ms)).at(-1);
};

it("computes a tempo from two or more taps", () => {
  expect(tapped(0)).toBeUndefined();
  expect(tapped(0, 500)).toBe(120);
  expect(tapped(0, 500, 1000, 1500)).toBe(120);
});

it("tolerates one bad tap", () => {
  expect(tapped(0, 500, 1000, 1400, 2000, 2500)).toBe(120);
});

it("restarts after a pause", () => {
  expect(tapped(0, 500, 1000, 9000)).toBeUndefined();
  expect(tapped(0, 500, 1000, 9000, 9400)).toBe(150);
});

it("stays within the range of the desk", () => {
  expect(tapped(0, 20)).toBe(300);
  expect(tapped(0, 2400)).toBe(30);
});
