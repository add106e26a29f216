import { FIGURES } from "@followspot/lighting";
import { expect, it } from "vitest";
import { figurePicture, PICTURE } from "./figure-picture.ts";

const named = (name: string) => figurePicture(FIGURES.find((figure) => figure.name === name)!);

it("stays within its picture for every movement effect", () => {
  for (const figure of FIGURES) {
    for (const { path } of figurePicture(figure)) {
      const numbers = path.match(/[\d.-]+/g)!.map(Number);
      for (const [i, at] of numbers.entries()) {
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(i % 2 === 0 ? PICTURE.width : PICTURE.height);
      }
    }
  }
});

it("draws one head if all move alike, and a row if they are offset", () => {
  expect([named("circle").length, named("wave").length]).toEqual([1, 5]);
  // Neighbors are half a cycle apart: one is as far up as the next is down.
  const [first, second] = named("cancan");
  expect(first!.y + second!.y).toBeCloseTo(PICTURE.height, 5);
});
