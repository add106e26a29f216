import { createHash } from "node:crypto";
import { SECTION_LABELS } from "@followspot/contract";
import { expect, test } from "vitest";
import { MANIFEST, WEIGHTS } from "../packages/analysis/src/form/label-weights.ts";
import { portray } from "../packages/analysis/src/form/portraits.ts";
import { cutSong } from "../packages/analysis/src/form/read-form.ts";
import { playPassages } from "../packages/analysis/src/testing/test-bars.ts";

const bars = playPassages([
  { bars: 8, energy: 0.3, tune: 1 },
  { bars: 8, energy: 0.9, tune: 2 },
]);

test("the weights of the labels are those their manifest names", () => {
  expect(createHash("sha256").update(Buffer.from(WEIGHTS, "base64")).digest("hex")).toBe(MANIFEST.sha256);
});

test("what the labels were learned from is what the product measures, in the same order", () => {
  expect(MANIFEST.features).toEqual(Object.keys(portray(bars, cutSong(bars))[0]!));
  expect(MANIFEST.labels).toEqual(SECTION_LABELS);
});
