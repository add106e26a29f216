import { describe, expect, it } from "vitest";
import { findConflicts, packAddresses } from "./addresses.ts";

const addresses = (plan: ReturnType<typeof packAddresses>) =>
  Object.fromEntries(plan.placed.map((p) => [p.id, p.address]));

describe("packAddresses", () => {
  it("packs in position order, then by id, a missing position last", () => {
    const plan = packAddresses([
      { id: 4, channelCount: 3 },
      { id: 3, position: 2, channelCount: 4 },
      { id: 2, position: 1, channelCount: 7 },
      { id: 1, position: 2, channelCount: 3 },
      { id: 9, position: 998, channelCount: 1 },
    ]);
    expect(addresses(plan)).toEqual({ 2: 1, 1: 8, 3: 11, 9: 15, 4: 16 });
  });

  it("skips ranges taken by overrides, wherever they are in the order", () => {
    const plan = packAddresses([
      { id: 1, position: 1, channelCount: 4 },
      { id: 2, position: 2, channelCount: 4 },
      { id: 3, position: 3, channelCount: 2, addressOverride: 6 },
    ]);
    expect(addresses(plan)).toEqual({ 1: 1, 2: 8, 3: 6 });
  });

  it("counts each universe on its own", () => {
    const plan = packAddresses([
      { id: 1, position: 1, channelCount: 10 },
      { id: 2, position: 2, universe: 2, channelCount: 10 },
      { id: 3, position: 3, channelCount: 10 },
    ]);
    expect(addresses(plan)).toEqual({ 1: 1, 2: 1, 3: 11 });
  });

  it("reports what does not fit and still places a smaller light after it", () => {
    const plan = packAddresses([
      { id: 1, position: 1, channelCount: 500 },
      { id: 2, position: 2, channelCount: 20 },
      { id: 3, position: 3, channelCount: 12 },
      { id: 4, position: 4, channelCount: 4, addressOverride: 510 },
    ]);
    expect(addresses(plan)).toEqual({ 1: 1, 3: 501 });
    expect(plan.unplaced.map((light) => light.id)).toEqual([2, 4]);
  });

  it("fills a universe to the last slot", () => {
    const plan = packAddresses(Array.from({ length: 128 }, (_, i) => ({ id: i, position: i, channelCount: 4 })));
    expect(plan.placed.at(-1)).toEqual({ id: 127, universe: 1, address: 509 });
    expect(plan.unplaced).toEqual([]);
  });
});

describe("findConflicts", () => {
  it("names both lights and the addresses they share", () => {
    const lights = [
      { id: 1, universe: 1, address: 1, channelCount: 4 },
      { id: 2, universe: 1, address: 4, channelCount: 4 },
      { id: 3, universe: 2, address: 4, channelCount: 4 },
      { id: 4, universe: 1, address: 8, channelCount: 1 },
    ];
    expect(findConflicts(lights)).toEqual([{ universe: 1, first: 1, second: 2, from: 4, to: 4 }]);
  });
});
