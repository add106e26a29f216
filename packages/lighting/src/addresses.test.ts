import { describe, expect, it } from "vitest";
import { findConflicts, freeAddress, freeInWords, longestFree, overlapInWords, packAddresses } from "./addresses.ts";

const addresses = (plan: ReturnType<typeof packAddresses>) =>
  Object.fromEntries(plan.placed.map((p) => [p.id, p.address]));

describe("packAddresses", () => {
  it("packs in order of position, then ID, with missing positions last", () => {
    const plan = packAddresses([
      { id: 4, channelCount: 3 },
      { id: 3, position: 2, channelCount: 4 },
      { id: 2, position: 1, channelCount: 7 },
      { id: 1, position: 2, channelCount: 3 },
      { id: 9, position: 998, channelCount: 1 },
    ]);
    expect(addresses(plan)).toEqual({ 2: 1, 1: 8, 3: 11, 9: 15, 4: 16 });
  });

  it("skips the ranges of overrides, whatever their order", () => {
    const plan = packAddresses([
      { id: 1, position: 1, channelCount: 4 },
      { id: 2, position: 2, channelCount: 4 },
      { id: 3, position: 3, channelCount: 2, addressOverride: 6 },
    ]);
    expect(addresses(plan)).toEqual({ 1: 1, 2: 8, 3: 6 });
  });

  it("counts each universe separately", () => {
    const plan = packAddresses([
      { id: 1, position: 1, channelCount: 10 },
      { id: 2, position: 2, universe: 2, channelCount: 10 },
      { id: 3, position: 3, channelCount: 10 },
    ]);
    expect(addresses(plan)).toEqual({ 1: 1, 2: 1, 3: 11 });
  });

  it("reports a fixture that does not fit and still places a smaller one after it", () => {
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
  it("returns both fixtures and their shared addresses", () => {
    const lights = [
      { id: 1, universe: 1, address: 1, channelCount: 4 },
      { id: 2, universe: 1, address: 4, channelCount: 4 },
      { id: 3, universe: 2, address: 4, channelCount: 4 },
      { id: 4, universe: 1, address: 8, channelCount: 1 },
    ];
    expect(findConflicts(lights)).toEqual([{ universe: 1, first: 1, second: 2, from: 4, to: 4 }]);
  });
});

describe("free addresses", () => {
  const taken = [
    { address: 100, channelCount: 100 },
    { address: 1, channelCount: 50 },
    { address: 40, channelCount: 5 },
  ];

  it("start at the first gap that is long enough", () => {
    expect([freeAddress(taken, 49), freeAddress(taken, 50), freeAddress(taken, 313), freeAddress(taken, 314)]).toEqual([
      51,
      200,
      200,
      undefined,
    ]);
    expect(freeAddress([], 512)).toBe(1);
  });

  it("are longest in the largest gap; undefined in a full universe", () => {
    expect(longestFree(taken)).toEqual({ address: 200, channelCount: 313 });
    expect(longestFree([])).toEqual({ address: 1, channelCount: 512 });
    expect(longestFree([{ address: 1, channelCount: 512 }])).toBeUndefined();
  });

  it("are described in a sentence, with the number of fixtures that fit", () => {
    expect(freeInWords(taken, 8, 4)).toBe("Next free for 4 × 8 channels: 51.");
    expect(freeInWords(taken, 1, 1)).toBe("Next free for 1 channel: 51.");
    expect(freeInWords(taken, 16, 20)).toBe(
      "There is no room for 20 × 16 channels: the longest free stretch is 200–512, which has room for 19.",
    );
    expect(freeInWords([{ address: 1, channelCount: 512 }], 4, 1)).toBe("The universe is full.");
  });
});

it("describes an overlap in a sentence, and a fixture without a label by its number", () => {
  const spot = { id: 4, label: "Spot 2", address: 97, channelCount: 16 };
  const dimmer = { id: 9, label: "", address: 112, channelCount: 1 };
  expect(overlapInWords(spot, dimmer, 2)).toBe("Spot 2 (97–112) overlaps Light 9 (112) on universe 2.");
});
