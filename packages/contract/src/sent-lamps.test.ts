import { describe, expect, it } from "vitest";
import { applySentLamps, readSentLamps, writeSentLamps } from "./sent-lamps.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);
/** 1.5 as float64. */
const AT = [0x3f, 0xf8, 0, 0, 0, 0, 0, 0];

describe("what lamps are sent", () => {
  it("is twelve bytes and the slots that changed", () => {
    const values = bytes(7, 8, 9);
    const stretches = [{ universe: 258, slot: 300, values }];
    const message = { isWhole: false, isSending: true, isPreview: true, ms: 1.5, stretches };
    expect([...writeSentLamps(message)]).toEqual([1, 6, 0, 1, ...AT, 1, 2, 1, 44, 0, 3, 7, 8, 9]);
    expect(readSentLamps(writeSentLamps(message).buffer)).toEqual(message);
  });

  it("is twelve bytes while nothing changes", () => {
    const message = { isWhole: true, isSending: false, isPreview: false, ms: 1.5, stretches: [] };
    expect([...writeSentLamps(message)]).toEqual([1, 1, 0, 0, ...AT]);
  });

  it("is put together from what changed; what is not there any more goes", () => {
    const universes = new Map<number, Uint8Array>();
    const tell = (isWhole: boolean, ...stretches: [universe: number, slot: number, ...values: number[]][]) =>
      applySentLamps(universes, {
        isWhole,
        isSending: true,
        isPreview: false,
        ms: 0,
        stretches: stretches.map(([universe, slot, ...values]) => ({ universe, slot, values: bytes(...values) })),
      });
    tell(true, [1, 0, 1, 2, 3], [2, 0, 9]);
    const before = universes.get(1);
    tell(false, [1, 1, 20]);
    expect([...universes.get(1)!.subarray(0, 4)]).toEqual([1, 20, 3, 0]);
    expect(universes.get(1)).toBe(before);
    tell(true, [1, 0, 5]);
    expect([...universes.keys()]).toEqual([1]);
  });

  it.each([
    ["another kind", [2, 0, 0, 0, ...AT]],
    ["half a header", [1, 0, 0]],
    ["a stretch that is missing", [1, 0, 0, 1, ...AT]],
    ["fewer slots than it says", [1, 0, 0, 1, ...AT, 0, 1, 0, 0, 0, 3, 7]],
    ["slots behind the last one of a universe", [1, 0, 0, 1, ...AT, 0, 1, 1, 255, 0, 2, 7, 8]],
  ])("is refused with %s", (_, message) => {
    expect(readSentLamps(bytes(...message).buffer)).toBeUndefined();
  });
});
