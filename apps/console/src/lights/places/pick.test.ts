import type { Pose } from "@followspot/contract";
import { expect, test } from "vitest";
import { inBand, namesThatFit, nextOf, othersOnSpot, pick, type Surface } from "./pick.ts";

/** A hundred pixels a metre, seen from above; what is high is near. */
const surface: Surface = {
  spotOf: ({ x, y, z }) => (x < -50 ? undefined : { x: 100 * x, y: 100 * y, depth: 10 - z }),
  lead: () => () => ({}),
};
const lamp = (id: number, x: number, y: number, z = 1) => {
  const pose: Pose = { x, y, z, hangs: true, turn: 0, lean: 0 };
  return { id, pose, name: `Par ${id}` };
};

test("a pointer means the nearest lamp, also beside it, and none far away", () => {
  const lamps = [lamp(1, 1, 1), lamp(2, 1.2, 1), lamp(3, -60, 0)];
  expect(pick(lamps, surface, { x: 112, y: 100 }, 18)).toEqual([2]);
  expect(pick(lamps, surface, { x: 90, y: 110 }, 18)).toEqual([1]);
  expect(pick(lamps, surface, { x: 160, y: 100 }, 18)).toEqual([]);
});

test("of 120 lamps on one spot the one nearest to the eye is first, and each has its turn", () => {
  const lamps = Array.from({ length: 120 }, (_, i) => lamp(i, 1, 1, i / 100));
  const stack = pick(lamps, surface, { x: 104, y: 100 }, 18);
  expect(stack).toHaveLength(120);
  expect(stack[0]).toBe(119);
  const visited = new Set<number>();
  for (let id = stack[0]!; !visited.has(id); id = nextOf(stack, id)) visited.add(id);
  expect(visited.size).toBe(120);
  expect(othersOnSpot(lamps[0]!, lamps, surface)).toBe(119);
});

test("a frame holds lamps whichever corner it begins at", () => {
  const lamps = [lamp(1, 1, 1), lamp(2, 2, 2), lamp(3, 5, 1)];
  expect(inBand(lamps, surface, { x: 250, y: 250 }, { x: 50, y: 50 })).toEqual([1, 2]);
});

test("names are left out that would lie over a more wanted one or over a lamp", () => {
  // Lamp 1 is ten pixels beside lamp 2, lamp 4 twenty pixels below lamp 3.
  const others = [lamp(1, 1.1, 1), lamp(3, 3, 1), lamp(4, 3, 1.2)];
  expect([...namesThatFit([lamp(2, 1, 1)], others, surface)]).toEqual([2, 4]);
  expect([...namesThatFit([lamp(3, 3, 1)], [lamp(4, 3, 1.2)], surface)]).toEqual([3, 4]);
});
