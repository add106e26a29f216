import { expect, it } from "vitest";
import { answered, isFound, newStaircase, SMALLEST_STEP_MS, type Answer } from "./staircase.ts";

/** Simulated user who notices differences above `tellsMs` and answers "together" otherwise. */
const person =
  (best: number, tellsMs: number) =>
  (offset: number): Answer =>
    Math.abs(offset - best) <= tellsMs ? "together" : offset < best ? "light" : "sound";

it.each([-180, -34, 0, 7, 86, 200])("finds an offset of %d ms within 12 answers", (best) => {
  const asked = person(best, 15);
  let [offset, stairs, answers] = [0, newStaircase(), 0];
  for (; !isFound(stairs); answers++) {
    const [move, next] = answered(stairs, asked(offset));
    offset += move;
    stairs = next;
    if (answers > 30) throw new Error("no end");
  }
  expect(answers).toBeLessThanOrEqual(12);
  expect(Math.abs(offset - best)).toBeLessThanOrEqual(20);
});

it("delays light that comes first, reverses by half the step, and does not move for coinciding light and sound", () => {
  const [first, one] = answered(newStaircase(), "light");
  const [second, two] = answered(one, "sound");
  const [third, three] = answered(two, "together");
  expect([first, second, third]).toEqual([60, -30, 0]);
  expect([two.stepMs, three.stepMs, isFound(three)]).toEqual([30, 15, false]);
  expect(isFound({ stepMs: SMALLEST_STEP_MS - 0.1, last: "light" })).toBe(true);
});
