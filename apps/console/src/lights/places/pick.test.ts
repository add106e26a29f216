import type { Pose } from "@followspot/contract";
import { expect, test } from "vitest";
import { inBand, namesThatFit, nextOf, othersOnSpot, pick, type Surface } from "./pick.ts";

/** Top view with 100 px per meter; higher fixtures are nearer to the camera. */
const surface: Surface = {
  spotOf: ({ x, y, z }) => (x < -50 ? undefined : { x: 100 * x, y: 100 * y, depth: 10 - z }),
  lead: () => () => ({}),
};
const lamp = (id: number, x: number, y: number, z = 1) => {
  const pose: Pose = { x, y, z, hangs: true, turn: 0, lean: 0 };
  return { id, pose, name: `Par ${id}` };
};

test("picks the nearest fixture within the hit radius", () => {
  const lamps = [lamp(1, 1, 1), lamp(2, 1.2, 1), lamp(3, -60, 0)];
  expect(pick(lamps, surface, { x: 112, y: 100 }, 18)).toEqual([2]);
  expect(pick(lamps, surface, { x: 90, y: 110 }, 18)).toEqual([1]);
  expect(pick(lamps, surface, { x: 160, y: 100 }, 18)).toEqual([]);
});

test("picks the topmost of 120 fixtures on one spot first, and cycles through all of them", () => {
  const lamps = Array.from({ length: 120 }, (_, i) => lamp(i, 1, 1, i / 100));
  const stack = pick(lamps, surface, { x: 104, y: 100 }, 18);
  expect(stack).toHaveLength(120);
  expect(stack[0]).toBe(119);
  const visited = new Set<number>();
  for (let id = stack[0]!; !visited.has(id); id = nextOf(stack, id)) visited.add(id);
  expect(visited.size).toBe(120);
  expect(othersOnSpot(lamps[0]!, lamps, surface)).toBe(119);
});

test("a selection rectangle works from any corner", () => {
  const lamps = [lamp(1, 1, 1), lamp(2, 2, 2), lamp(3, 5, 1)];
  expect(inBand(lamps, surface, { x: 250, y: 250 }, { x: 50, y: 50 })).toEqual([1, 2]);
});

test("omits names that would cover a name with priority or a marker", () => {
  // Fixture 1 is 10 px beside fixture 2; fixture 4 is 20 px below fixture 3.
  const others = [lamp(1, 1.1, 1), lamp(3, 3, 1), lamp(4, 3, 1.2)];
  expect([...namesThatFit([lamp(2, 1, 1)], others, surface)]).toEqual([2, 4]);
  expect([...namesThatFit([lamp(3, 3, 1)], [lamp(4, 3, 1.2)], surface)]).toEqual([3, 4]);
});
