import type { HeardSound } from "@followspot/contract";
import { expect, it } from "vitest";
import { until } from "../testing/dmx-node.ts";
import { noiseBursts, silence, TEST_RATE } from "../testing/sounds.ts";
import { Ear } from "./ear.ts";

const BLOCK = TEST_RATE / 100;

it("reports onsets at once, and other results no more often than light is rendered", async () => {
  const told: HeardSound[] = [];
  const ear = new Ear({ onHeard: (heard) => told.push(heard), onPlan: () => {}, onEnd: () => {} });
  try {
    ear.open(TEST_RATE);
    // A second of silence, then an onset in each of the first blocks after it.
    const y = Float32Array.from([...silence(1), ...noiseBursts(5, 0.2)]);
    for (let at = 0; at + BLOCK <= y.length; at += BLOCK) {
      ear.hear(Int16Array.from(y.subarray(at, at + BLOCK), (x) => 32_767 * x));
    }
    await until(() => (told.at(-1)?.seconds ?? 0) > 1.18);
    const quiet = told.filter(({ seconds }) => seconds <= 1);
    expect(quiet).toHaveLength(50);
    const struck = told.filter(({ onset }) => onset > 0);
    expect(struck[0]?.seconds).toBeCloseTo(1.01, 6);
  } finally {
    ear.close();
  }
});

// kept: Stage and lamps | A change of the sound input left the live show at a position that is no number | failed on
// the old code
it("reports nothing of an earlier stream once another one has started", async () => {
  const told: HeardSound[] = [];
  const ear = new Ear({ onHeard: (heard) => told.push(heard), onPlan: () => {}, onEnd: () => {} });
  try {
    ear.open(TEST_RATE);
    ear.hear(new Int16Array(20 * BLOCK));
    ear.open(TEST_RATE);
    ear.hear(new Int16Array(2 * BLOCK));
    await until(() => told.length > 0);
    expect(told.map(({ seconds }) => seconds)).toEqual([0.02]);
  } finally {
    ear.close();
  }
});
