import { describe, expect, it } from "vitest";
import { slotOf, UNIVERSE_SLOTS } from "./units.ts";

describe("slotOf", () => {
  it.each([
    [1, 0],
    [2, 1],
    [256, 255],
    [512, 511],
  ])("puts the address %d printed on a fixture into slot %d", (address, slot) => {
    expect(slotOf(address)).toBe(slot);
  });

  it("gives every address of a universe a slot of its own", () => {
    const slots = Array.from({ length: UNIVERSE_SLOTS }, (_, i) => slotOf(i + 1));
    expect(new Set(slots).size).toBe(UNIVERSE_SLOTS);
    expect([Math.min(...slots), Math.max(...slots)]).toEqual([0, UNIVERSE_SLOTS - 1]);
  });

  it.each([0, -1, 513, 1.5, Number.NaN, Infinity])("refuses %d, which no fixture shows", (address) => {
    expect(() => slotOf(address)).toThrow(`DMX address ${address} is not in 1..512`);
  });
});
