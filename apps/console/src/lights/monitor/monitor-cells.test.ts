import { parsRig } from "@followspot/lighting";
import { expect, test } from "vitest";
import { GLOW_MS, MonitorCells, ownersOf, slotsAround } from "./monitor-cells.ts";

const universe = (...values: number[]) => Uint8Array.from({ length: 512 }, (_, slot) => values[slot] ?? 0);

test("writes every cell first without a highlight, then only changed cells", () => {
  const cells = new MonitorCells();
  const first = cells.update(universe(10, 20), 0);
  expect([first.length, first.some(({ glows }) => glows)]).toEqual([512, false]);
  expect(cells.update(universe(10, 20), 66)).toEqual([]);
  expect(cells.update(universe(10, 21), 132)).toEqual([{ slot: 1, value: 21, glows: true }]);
  expect(cells.valueOf(1)).toBe(21);
});

test("highlights a changed channel until one second after its last change", () => {
  const cells = new MonitorCells();
  cells.update(universe(), 0);
  cells.update(universe(1), 100);
  cells.update(universe(2), 600);
  expect(cells.update(universe(2), 600 + GLOW_MS - 1)).toEqual([]);
  expect(cells.isGlowing).toBe(true);
  expect(cells.update(universe(2), 600 + GLOW_MS)).toEqual([{ slot: 0, value: 2, glows: false }]);
  expect(cells.isGlowing).toBe(false);
});

test("maps channels to fixtures of this universe; the table lists a whole fixture, or a row for a free slot", () => {
  const { lights, groups } = parsRig(2);
  const rig = { groups, lights: [lights[0]!, { ...lights[1]!, universe: 2, address: 101 }] };
  const owners = ownersOf(rig, 2);
  expect(owners[101]).toEqual({ lightId: 2, label: lights[1]!.label, kind: "green" });
  expect([owners[0], owners[103]]).toEqual([undefined, undefined]);
  expect(slotsAround(owners, 101, 32)).toEqual([100, 101, 102]);
  expect(slotsAround(owners, 40, 32)).toEqual(Array.from({ length: 32 }, (_, i) => 32 + i));
});
