import { expect, test } from "vitest";
import { separateStems } from "./stems.ts";

test("stems have the length of the mix and add up to it", () => {
  const left = Float32Array.from({ length: 30_001 }, (_, n) => 0.3 * Math.sin(n / 9) + (n % 11_025 < 60 ? 0.5 : 0));
  const right = left.map((v, n) => 0.5 * v + 0.1 * Math.sin(n / 31));
  const stems = separateStems(left, right, 44_100);
  let worst = 0;
  for (let n = 0; n < left.length; n++) {
    const l = stems.drums.left[n]! + stems.bass.left[n]! + stems.vocals.left[n]! + stems.other.left[n]!;
    const r = stems.drums.right[n]! + stems.bass.right[n]! + stems.vocals.right[n]! + stems.other.right[n]!;
    worst = Math.max(worst, Math.abs(l - left[n]!), Math.abs(r - right[n]!));
  }
  expect(stems.drums.left.length).toBe(left.length);
  expect(worst).toBeLessThan(1e-5);
});

test("a low steady tone goes to bass and clicks go to drums", () => {
  const tone = Float32Array.from({ length: 88_200 }, (_, n) => 0.3 * Math.sin((2 * Math.PI * 60 * n) / 44_100));
  const clicks = Float32Array.from({ length: 88_200 }, (_, n) => (n % 22_050 < 20 ? (n % 2 ? 0.5 : -0.5) : 0));
  const mix = tone.map((v, n) => v + clicks[n]!);
  const stems = separateStems(mix, mix, 44_100);
  const likeness = (a: Float32Array, b: Float32Array) => {
    const dot = (x: Float32Array, y: Float32Array) => x.reduce((s, v, n) => s + v * y[n]!, 0);
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  };
  expect(likeness(stems.bass.left, tone)).toBeGreaterThan(0.95);
  expect(likeness(stems.drums.left, clicks)).toBeGreaterThan(0.8);
});
