import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MaskNetwork } from "../packages/analysis/src/network/mask-network.ts";
import { STEM_BANDS, STEM_CHANNELS } from "../packages/analysis/src/stems/stem-input.ts";
import { loadMaskNetwork, sharesOf } from "../packages/analysis/src/stems/stem-masks.ts";
import { MANIFEST, WEIGHTS } from "../packages/analysis/src/network/stem-weights.ts";

const HOPS = 120;

/** A hop of the made-up spectrum of training/stems/export.py. */
function madeUpHop(hop: number): Float32Array {
  return Float32Array.from({ length: STEM_CHANNELS * STEM_BANDS }, (_, i) => {
    const channel = Math.floor(i / STEM_BANDS);
    const band = i % STEM_BANDS;
    if (channel === 0) return (hop % 20 < 2 ? 7 : 4) + Math.sin((hop * band) / 97);
    return 0.3 + 0.2 * Math.sin((hop * channel) / 13 + band / 7);
  });
}

describe("the committed mask network", () => {
  test("has the weights its manifest names", () => {
    expect(createHash("sha256").update(Buffer.from(WEIGHTS, "base64")).digest("hex")).toBe(MANIFEST.sha256);
  });

  test("answers hop by hop what PyTorch answered for the whole when it was exported, to 0.002", () => {
    const expected = JSON.parse(readFileSync(new URL("stems/regression.json", import.meta.url), "utf8")) as number[][];
    const network = new MaskNetwork(loadMaskNetwork());
    const answers = Array.from({ length: HOPS }, (_, hop) => network.push(madeUpHop(hop))).flatMap((logits) =>
      logits ? [sharesOf(logits)] : [],
    );
    expect(answers).toHaveLength(HOPS - network.lookAhead);
    expected.forEach((shares, n) => {
      const heard = [...answers[n * 20]!].filter((_, i) => (i % STEM_BANDS) % 7 === 0);
      heard.forEach((share, i) => expect(Math.abs(share - shares[i]!)).toBeLessThan(0.002));
    });
  });
});
