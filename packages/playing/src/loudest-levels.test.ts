import { expect, test } from "vitest";
import { levelsOfBlock, LoudestLevels } from "./loudest-levels.ts";

test("half of full scale on the left channel is -6 dBFS there and silence on the right", () => {
  const block = Float32Array.from({ length: 882 }, (_, i) => (i % 2 === 0 ? 0.5 : 0));
  const [left, right] = levelsOfBlock(block);
  expect(left).toBeCloseTo(-6.02, 2);
  expect(right).toBeLessThan(-90);
});

test("returns the loudest level since the last call, and silence if there was none", () => {
  const levels = new LoudestLevels();
  levels.hear([-20, -30]);
  levels.hear([-12.34, -40]);
  levels.hear([-18, 3]);
  expect(levels.take()).toEqual([-12.3, 0]);
  expect(levels.take()).toEqual([-100, -100]);
});
