import { expect, it } from "vitest";
import { SoundMemory } from "./sound-memory.ts";

it("cuts a stretch over blocks, and nothing where a part is missing", () => {
  const memory = new SoundMemory();
  // 1000 samples a second: sample n is heard at 5000 + n ms.
  for (let n = 0; n < 3000; n += 100)
    memory.add(
      Float32Array.from({ length: 100 }, (_, i) => n + i),
      5000 + n,
    );
  expect([...memory.cut(5250, 300, 1000)!]).toEqual(Array.from({ length: 300 }, (_, i) => 250 + i));
  expect(memory.cut(5000, 100, 1000)![0]).toBe(0);
  expect(memory.cut(4990, 100, 1000)).toBeUndefined();
  expect(memory.cut(7950, 100, 1000)).toBeUndefined();
  memory.add(new Float32Array(100), 12_000);
  expect(memory.cut(5250, 300, 1000)).toBeUndefined();
});
