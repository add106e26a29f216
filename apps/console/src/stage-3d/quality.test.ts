import { describe, expect, it } from "vitest";
import { firstStep, QUALITIES, QualityKeeper } from "./quality.ts";

/** Frames of one length. @returns the step after them */
function after(keeper: QualityKeeper, frameMs: number, frames: number): number {
  for (let i = 0; i < frames; i++) keeper.frame(frameMs);
  return keeper.step;
}

describe("the quality of a picture", () => {
  it("loses bloom, then the noise of haze, then pixels", () => {
    const [first, second, third, fourth] = QUALITIES;
    expect([first!.hasBloom, second!.hasBloom, second!.hasNoise, third!.hasNoise]).toEqual([true, false, true, false]);
    expect([third!.pixels * third!.lightPixels, fourth!.pixels * fourth!.lightPixels]).toEqual([1, 0.5]);
  });

  it("goes down step by step while frames are slow, and not below the last", () => {
    const keeper = new QualityKeeper();
    expect(after(keeper, 90, 12)).toBe(1);
    expect(after(keeper, 90, 100)).toBe(QUALITIES.length - 1);
  });

  it("stays for a frame that is late once in a while, and for pauses", () => {
    const keeper = new QualityKeeper();
    for (let i = 0; i < 100; i++) after(keeper, i % 4 === 0 ? 80 : 16, 1);
    for (let i = 0; i < 100; i++) after(keeper, i % 2 === 0 ? 5000 : 16, 1);
    expect(keeper.step).toBe(0);
  });

  it("goes down sooner where frames take ever so long", () => {
    expect(after(new QualityKeeper(), 200, 3)).toBe(1);
    expect(after(new QualityKeeper(), 3000, 5)).toBe(1);
  });

  it("comes back when there is room, later each time it was too slow", () => {
    const keeper = new QualityKeeper();
    after(keeper, 90, 12);
    expect(after(keeper, 16, 359)).toBe(1);
    expect(after(keeper, 16, 1)).toBe(0);
    after(keeper, 90, 12);
    expect(after(keeper, 16, 719)).toBe(1);
    expect(after(keeper, 16, 1)).toBe(0);
  });
});

it("a picture a person waits for begins with all there is, or with fewer pixels the larger it is where no card draws", () => {
  expect(firstStep(2_000_000, true)).toBe(0);
  const drawn = [100_000, 335_000, 717_000, 4_000_000].map((pixels) => QUALITIES[firstStep(pixels, false)]!);
  expect(drawn.map(({ pixels }) => pixels)).toEqual([1, 0.66, 0.5, 0.5]);
  expect(drawn.every(({ hasNoise, hasBloom }) => !hasNoise && !hasBloom)).toBe(true);
});
