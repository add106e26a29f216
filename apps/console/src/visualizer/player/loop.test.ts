import { expect, test } from "vitest";
import { loopBetween, loopWithEdge } from "./loop.ts";

test("a loop lies between two times in any order, within the song", () => {
  expect(loopBetween(8, 4, 60)).toEqual({ from: 4, to: 8 });
  expect(loopBetween(-3, 90, 60)).toEqual({ from: 0, to: 60 });
  expect(loopBetween(4, 4.1, 60)).toBeUndefined();
});

test("a loop with a single edge extends to the start or end of the song", () => {
  expect(loopWithEdge(undefined, "from", 10, 60)).toEqual({ from: 10, to: 60 });
  expect(loopWithEdge(undefined, "to", 10, 60)).toEqual({ from: 0, to: 10 });
});

test("moving an edge keeps the other one, unless the edges would cross", () => {
  expect(loopWithEdge({ from: 10, to: 20 }, "to", 15, 60)).toEqual({ from: 10, to: 15 });
  expect(loopWithEdge({ from: 10, to: 20 }, "from", 15, 60)).toEqual({ from: 15, to: 20 });
  expect(loopWithEdge({ from: 10, to: 20 }, "from", 30, 60)).toEqual({ from: 30, to: 60 });
  expect(loopWithEdge({ from: 10, to: 20 }, "to", 5, 60)).toEqual({ from: 0, to: 5 });
});
