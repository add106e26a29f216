import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { atHopRate, loadNetwork } from "../packages/analysis/src/network/activations.ts";
import { HOPS_PER_FRAME, runNetwork } from "../packages/analysis/src/network/forward.ts";
import { INPUT_BANDS } from "../packages/analysis/src/network/input.ts";
import { MANIFEST, WEIGHTS } from "../packages/analysis/src/network/weights.ts";

/** The made-up spectrum of training/export.py: bursts every 50 hops over a slow pattern. */
function madeUpSpectrum(hops: number): Float32Array {
  const input = new Float32Array(hops * INPUT_BANDS);
  for (let h = 0; h < hops; h++) {
    for (let b = 0; b < INPUT_BANDS; b++) {
      input[h * INPUT_BANDS + b] = (h % 50 < 5 ? 4 : 1) + Math.sin((h * b) / 97) + b / INPUT_BANDS;
    }
  }
  return input;
}

describe("the committed network", () => {
  test("has the weights its manifest names", () => {
    expect(createHash("sha256").update(Buffer.from(WEIGHTS, "base64")).digest("hex")).toBe(MANIFEST.sha256);
  });

  test("stays below 400 kB", () => {
    expect(Buffer.from(WEIGHTS, "base64").length).toBeLessThan(400_000);
  });

  test("answers what PyTorch answered when it was exported, to 0.002, across a seam of its blocks", () => {
    const expected = JSON.parse(readFileSync(new URL("regression.json", import.meta.url), "utf8")) as Record<
      string,
      number[]
    >;
    const outputs = runNetwork(loadNetwork(), madeUpSpectrum(1200));
    MANIFEST.heads.forEach((head, i) => {
      expected[head]!.forEach((value, n) => expect(Math.abs(outputs[i]![n * 40]! - value)).toBeLessThan(0.002));
    });
  });

  test("has no frame for a song shorter than one", () => {
    expect(runNetwork(loadNetwork(), new Float32Array(INPUT_BANDS))[0]).toHaveLength(0);
  });
});

test("a curve at the rate of hops passes through the centres of its frames", () => {
  const hops = atHopRate(Float32Array.of(0, 1, 0), 6);
  expect(HOPS_PER_FRAME).toBe(2);
  // Frame 1 is centred between hops 2 and 3; the ends hold.
  expect([...hops]).toEqual([0, 0.25, 0.75, 0.75, 0.25, 0]);
});
