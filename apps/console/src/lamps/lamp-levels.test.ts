import type { FixtureMode, Rig } from "@followspot/contract";
import { expect, test } from "vitest";
import { lampLevels } from "./lamp-levels.ts";

const RGB: FixtureMode = {
  name: "RGB",
  channels: (["red", "green", "blue"] as const).map((kind) => ({ kind, head: 0, default: 0 })),
};
const par = (id: number, universe: number, address: number, enabled = true) => ({
  ...{ id, label: `Par ${id}`, universe, address, mode: RGB, enabled },
});

test("counts the lit fixtures, and computes each universe's brightness from its DMX values", () => {
  const rig: Rig = { lights: [par(1, 1, 1), par(2, 1, 4), par(3, 2, 1), par(4, 2, 4, false)], groups: [] };
  const slots = new Uint8Array(512);
  slots[0] = 255;
  const universes = new Map([[1, slots]]);
  const read = lampLevels(rig, universes);
  expect(read()).toEqual({ lit: 1, all: 3, byUniverse: new Map([[1, 0.5], [2, 0]]) }); // prettier-ignore
  slots.fill(0);
  expect(read()).toMatchObject({ lit: 0 });
});
