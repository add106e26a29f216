import { expect, it } from "vitest";
import { CHASE_SHAPES, isLit } from "./chase-shapes.ts";

it("mirror goes through a row that is the outer lamps of a stage from its ends to its middle, never all at once", () => {
  // Two lamps at each side of eight: places of the stage, one row of four.
  const places = [0, 1 / 7, 6 / 7, 1];
  const chase = { shape: CHASE_SHAPES.indexOf("mirror"), cells: 2, width: 1, direction: 1 };
  const litAt = (step: number) => places.map((place, index) => isLit(chase, step, place, index, places.length));
  expect([litAt(0), litAt(1)]).toEqual([
    [true, false, false, true],
    [false, true, true, false],
  ]);
});
