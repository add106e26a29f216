import { expect, it } from "vitest";
import { CHASE_SHAPES, isLit } from "./chase-shapes.ts";

it("mirror runs from both ends to the middle of a row that consists of the outer fixtures of a stage, never all at once", () => {
  // Two fixtures on each side of eight: places on the stage, one row of four.
  const places = [0, 1 / 7, 6 / 7, 1];
  const chase = { shape: CHASE_SHAPES.indexOf("mirror"), cells: 2, width: 1, direction: 1 };
  const litAt = (step: number) => places.map((place, index) => isLit(chase, step, place, index, places.length));
  expect([litAt(0), litAt(1)]).toEqual([
    [true, false, false, true],
    [false, true, true, false],
  ]);
});
