import { expect, test } from "vitest";
import { dipOf } from "./dip-switches.tsx";
import { nextFree, overlaps, slotsInUse, universeInWords, universesOf, universeSlots, type SlotLight } from "./universe-slots.ts"; // prettier-ignore

const lamp = (id: number, address: number, channelCount: number, isOverride = false): SlotLight => ({
  id,
  label: id === 9 ? "" : `Lamp ${id}`,
  address,
  channelCount,
  isOverride,
});
const looks = (lights: readonly SlotLight[], selected?: number) =>
  universeSlots(lights, selected).map(({ look }) => look);

test("marks each slot as automatic, override, selected or free", () => {
  const seen = looks([lamp(1, 1, 4), lamp(2, 200, 2, true), lamp(3, 10, 3)], 3);
  expect(seen).toHaveLength(512);
  expect([seen[0], seen[3], seen[4], seen[9], seen[11], seen[199], seen[201]]).toEqual([
    "auto",
    "auto",
    "free",
    "selected",
    "selected",
    "override",
    "free",
  ]);
  expect(slotsInUse(universeSlots([lamp(1, 1, 4), lamp(2, 200, 2)], undefined))).toBe(6);
});

test("alternates the shade of neighboring lights in address order", () => {
  const slots = universeSlots([lamp(3, 9, 4), lamp(1, 1, 4), lamp(2, 5, 4)], undefined);
  expect([0, 4, 8].map((slot) => slots[slot]!.isOdd)).toEqual([false, true, false]);
});

test("shows an overlap as a conflict with a sentence for both lights, and the drafted light as selected", () => {
  const both = [lamp(1, 97, 16), lamp(9, 100, 24)];
  const seen = looks([...both, lamp(0, 300, 8)], 1);
  expect([seen[96], seen[99], seen[111], seen[112], seen[299]]).toEqual([
    "selected",
    "conflict",
    "conflict",
    "auto",
    "selected",
  ]);
  const words = overlaps(both, 2);
  expect(words.get(1)).toBe("Lamp 1 (97–112) overlaps Light 9 (100–123) on universe 2.");
  expect(words.get(9)).toBe("Light 9 (100–123) overlaps Lamp 1 (97–112) on universe 2.");
});

test("ignores channels past slot 512, and finds the next free address", () => {
  expect(looks([lamp(1, 510, 8)]).filter((look) => look === "auto")).toHaveLength(3);
  expect([nextFree([lamp(1, 1, 4)], 8), nextFree([lamp(1, 1, 510)], 8)]).toEqual([5, undefined]);
});

test("lists the lights as text for screen readers, and the universes in use", () => {
  expect(universeInWords([lamp(2, 8, 7), lamp(9, 1, 1)])).toEqual(["1 Light 9", "8–14 Lamp 2"]);
  expect([universesOf([]), universesOf([{ universe: 3 }, { universe: 1 }, { universe: 3 }])]).toEqual([[1], [1, 3]]);
});

test("the DIP switches of an address add up to it", () => {
  for (let address = 1; address <= 512; address++) {
    const sum = dipOf(address).reduce((total, isOn, i) => total + (isOn ? 2 ** i : 0), 0);
    expect(sum).toBe(address % 512); // 512 would need a tenth switch; fixtures offer it in a menu
  }
});
