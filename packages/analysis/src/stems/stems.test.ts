import { describe, expect, test } from "vitest";
import { separateStems } from "../testing/separate-stems.ts";
import { RATE, seeded } from "../testing/test-sounds.ts";
import { STEM_NAMES, StemSeparator, type Stems } from "./stems.ts";

function likeness(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((s, v, n) => s + v * y[n]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** Returns beeps on the left, and a click every quarter of a second in the center. */
function beepsAndClicks(samples: number): { left: Float32Array; right: Float32Array } {
  const left = Float32Array.from({ length: samples }, (_, n) => 0.3 * Math.sin(n / 9) + (n % 11_025 < 60 ? 0.5 : 0));
  return { left, right: left.map((v, n) => 0.5 * v + 0.1 * Math.sin(n / 31)) };
}

describe("stems", () => {
  const { left, right } = beepsAndClicks(30_001);

  test("have the length of the mix and add up to it", () => {
    const stems = separateStems(left, right);
    let worst = 0;
    for (let n = 0; n < left.length; n++) {
      const l = stems.drums.left[n]! + stems.bass.left[n]! + stems.vocals.left[n]! + stems.other.left[n]!;
      const r = stems.drums.right[n]! + stems.bass.right[n]! + stems.vocals.right[n]! + stems.other.right[n]!;
      worst = Math.max(worst, Math.abs(l - left[n]!), Math.abs(r - right[n]!));
    }
    expect(stems.drums.left.length).toBe(left.length);
    expect(worst).toBeLessThan(1e-5);
  });

  test("do not depend on how the song is cut into blocks", () => {
    const separator = new StemSeparator();
    const blocks: Stems[] = [];
    for (let at = 0; at < left.length; at += 777)
      blocks.push(...separator.push(left.subarray(at, at + 777), right.subarray(at, at + 777)));
    blocks.push(...separator.finish());
    const whole = separateStems(left, right);
    for (const name of STEM_NAMES)
      expect(blocks.flatMap((block) => [...block[name].left])).toEqual([...whole[name].left]);
  });

  test("are silent for silence, for one sample and for NaN", () => {
    for (const samples of [new Float32Array(5000), new Float32Array(1), new Float32Array(5000).fill(NaN)]) {
      const stems = separateStems(samples, samples);
      for (const name of STEM_NAMES) {
        expect(stems[name].left).toHaveLength(samples.length);
        expect(stems[name].left.every((v) => v === 0)).toBe(true);
      }
    }
  });
});

test("assigns a bass line to bass and struck noise to drums", () => {
  const random = seeded(1);
  const bass = Float32Array.from({ length: 6 * RATE }, (_, n) => {
    const t = (n / RATE) % 0.5;
    return 0.3 * Math.min(1, t / 0.01) * Math.sin(2 * Math.PI * 65 * (n / RATE)) * (t < 0.45 ? 1 : 0);
  });
  const struck = Float32Array.from({ length: 6 * RATE }, (_, n) => {
    const t = (n / RATE) % 0.5;
    return 0.4 * (2 * random() - 1) * Math.exp(-t / 0.05);
  });
  const mix = bass.map((v, n) => v + struck[n]!);
  const stems = separateStems(mix, mix);
  const mostLike = (sound: Float32Array) =>
    STEM_NAMES.toSorted((a, b) => likeness(stems[b].left, sound) - likeness(stems[a].left, sound))[0];
  expect(mostLike(bass)).toBe("bass");
  expect(mostLike(struck)).toBe("drums");
  expect(likeness(stems.bass.left, bass)).toBeGreaterThan(0.95);
});
