import { describe, expect, it } from "vitest";
import type { HeardSound } from "@followspot/contract";
import { LiveEar } from "./live-ear.ts";

const RATE = 44_100;

/** Returns kicks on every beat of a tempo, and a snare on every other. */
function drums(bpm: number, seconds: number, rate = RATE): Float32Array {
  const y = new Float32Array(Math.round(seconds * rate));
  const beat = 60 / bpm;
  for (let i = 0; i * beat < seconds; i++) {
    const kick = (s: number) => Math.sin(2 * Math.PI * 55 * s) * Math.exp(-s * 14) * 0.8;
    const snare = (s: number, n: number) => (((n * 7919) % 101) / 50 - 1) * Math.exp(-s * 22) * 0.4;
    strike(i * beat, 0.2, kick);
    if (i % 2 === 1) strike(i * beat, 0.2, snare);
  }
  return y;

  function strike(at: number, length: number, of: (s: number, n: number) => number): void {
    const first = Math.round(at * rate);
    for (let n = 0; n < length * rate && first + n < y.length; n++) y[first + n]! += of(n / rate, n);
  }
}

/** Returns all results, with blocks of 10 ms. */
function hear(y: Float32Array, rate = RATE): HeardSound[] {
  const ear = new LiveEar(rate);
  const block = rate / 100;
  return Array.from({ length: Math.floor(y.length / block) }, (_, i) =>
    ear.push(y.subarray(i * block, (i + 1) * block)),
  );
}

/** Returns how far the count is from a beat whenever it reaches a whole number, ms. */
function missesOf(heard: readonly HeardSound[], bpm: number): number[] {
  const beat = 60 / bpm;
  return heard.flatMap(({ seconds, pulse }, i) => {
    const before = heard[i - 1]?.pulse;
    if (!pulse || !before || Math.floor(pulse.beat) === Math.floor(before.beat)) return [];
    return [1000 * (seconds - beat * Math.round(seconds / beat))];
  });
}

const later = (heard: readonly HeardSound[], from: number) => heard.filter(({ seconds }) => seconds >= from);

describe("the beat", () => {
  it.each([
    [92, 44_100],
    [124, 48_000],
    [126, 16_000],
    [150, 96_000],
  ])("at %i BPM is predicted within 35 ms at %i samples per second", (bpm, rate) => {
    const heard = later(hear(drums(bpm, 12, rate), rate), 8);
    const { pulse } = heard.at(-1)!;
    expect(Math.abs(pulse!.bpm / bpm - 1)).toBeLessThan(0.03);
    expect(pulse!.confidence).toBeGreaterThan(0.5);
    expect(Math.max(...missesOf(heard, bpm).map(Math.abs))).toBeLessThan(35);
  });

  it("is found again after a change of tempo, and continues without sound", () => {
    const y = new Float32Array(30 * RATE);
    y.set(drums(100, 10));
    y.set(drums(140, 14), 10 * RATE);
    const heard = hear(y);
    expect(heard[990]!.pulse!.bpm).toBeCloseTo(100, -1);
    expect(heard[2390]!.pulse!.bpm).toBeCloseTo(140, -1);
    expect(heard.at(-1)!.isSilent).toBe(true);
    expect(heard.at(-1)!.pulse!.beat - heard[2390]!.pulse!.beat).toBeGreaterThan(5);
  });

  it("does not depend on how audio is cut into blocks", () => {
    const y = drums(118, 6);
    const ear = new LiveEar(RATE);
    let last: HeardSound | undefined;
    for (let at = 0, size = 1; at < y.length; at += size, size = (size * 7 + 3) % 9000)
      last = ear.push(y.subarray(at, at + size));
    expect(last!.pulse!.beat).toBeCloseTo(hear(y).at(-1)!.pulse!.beat, 6);
  });

  it("has low confidence in noise", () => {
    const noise = Float32Array.from({ length: 12 * RATE }, (_, n) => ((Math.sin(n * 12.9898) * 43_758.5453) % 1) * 0.3);
    for (const { pulse } of later(hear(noise), 3)) expect(pulse!.confidence).toBeLessThan(0.3);
  });
});

describe("loudness", () => {
  it("rises within the same block as the sound, with an onset", () => {
    const y = new Float32Array(2 * RATE);
    y.set(drums(120, 1), RATE);
    const heard = hear(y);
    expect(heard[99]).toMatchObject({ isSilent: true, level: 0, onset: 0 });
    expect(heard[100]!.level).toBeGreaterThan(0.5);
    expect(heard[100]!.onset).toBeGreaterThan(0.9);
  });

  it("is the same for a distant microphone", () => {
    const [near, far] = [0.7, 0.07].map((gain) => hear(drums(120, 6).map((x) => x * gain)).at(-1)!);
    expect(far!.level).toBeCloseTo(near!.level, 1);
    expect(far!.energy).toBeCloseTo(near!.energy, 1);
  });

  it("distinguishes loud passages from quiet ones, and detects a drop immediately", () => {
    const y = drums(120, 40);
    for (let n = 20 * RATE; n < 32 * RATE; n++) y[n]! *= 0.1;
    const heard = hear(y);
    expect(heard[3100]!.energy).toBeLessThan(0.2);
    expect(heard[3990]!.energy).toBeGreaterThan(0.8);
    expect(Math.max(...heard.slice(3200, 3300).map(({ surge }) => surge))).toBeGreaterThan(0.6);
    expect(Math.min(...heard.slice(2000, 2100).map(({ surge }) => surge))).toBeLessThan(-0.6);
  });
});

describe("input that is not music", () => {
  it.each([
    ["silence", () => 0],
    ["a constant", () => 0.8],
    ["NaN", () => Number.NaN],
    ["infinity", () => Number.POSITIVE_INFINITY],
    ["far too much", () => 1e30],
  ])("yields values within their range for %s", (_, of) => {
    for (const heard of hear(Float32Array.from({ length: 3 * RATE }, of))) {
      for (const key of ["level", "bass", "mid", "high", "onset", "energy"] as const) {
        expect(heard[key]).toBeGreaterThanOrEqual(0);
        expect(heard[key]).toBeLessThanOrEqual(1);
      }
      expect(Number.isFinite(heard.pulse?.beat ?? 0)).toBe(true);
    }
  });

  it("is silent if it is constant, because it is not sound", () => {
    expect(hear(new Float32Array(2 * RATE).fill(0.5)).at(-1)!.isSilent).toBe(true);
  });

  it.each([0, 7900, 44_101, 22_050, 200_000, Number.NaN])("is refused at %d samples per second", (rate) => {
    expect(() => new LiveEar(rate)).toThrow(RangeError);
  });
});
