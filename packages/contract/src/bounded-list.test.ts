import { expect, test } from "vitest";
import { z } from "zod";
import { boundedList } from "./bounded-list.ts";
import { rigCopySchema, settleSchema } from "./venue-door.ts";
import { workerClaimSchema, workerHelloSchema } from "./worker-door.ts";

test("a bounded list accepts lists up to its limit, and rejects longer lists and other values", () => {
  const schema = boundedList(z.number(), 2);
  expect(schema.parse([1, 2])).toEqual([1, 2]);
  for (const wrong of [[1, 2, 3], [1, "2"], "12", { length: 1 }, null])
    expect(schema.safeParse(wrong).success).toBe(false);
});

const ITEMS = 300_000;

// kept: Doors | Requests of remote machines with hundreds of thousands of items were validated item by item before the length was checked | failed on the old code
test.each([
  ["what happened at a venue", settleSchema, "happened"],
  ["tables of a rig", rigCopySchema, "tables"],
  ["steps of a claim", workerClaimSchema, "steps"],
  ["steps of a hello", workerHelloSchema, "steps"],
] as const)("%s are rejected without reading an item if there are too many", (_, schema, field) => {
  let reads = 0;
  const items = new Proxy(Array.from({ length: ITEMS }), {
    get: (target, key) => {
      if (typeof key === "string" && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key) as unknown;
    },
  });
  const { error } = schema.safeParse({ [field]: items });
  expect(error?.issues.some(({ path }) => path[0] === field)).toBe(true);
  expect(reads).toBe(0);
});
