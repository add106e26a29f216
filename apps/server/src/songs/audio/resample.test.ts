import { describe, expect, test } from "vitest";
import { Resampler } from "./resample.ts";

const tone = (hz: number, rate: number, count: number) =>
  Float32Array.from({ length: count }, (_, n) => Math.sin((2 * Math.PI * hz * n) / rate));

/** Resamples in blocks of odd sizes, like those of decoders. */
function resample(y: Float32Array, from: number, to: number, blocks: readonly number[] = [1, 4097, 300]): Float32Array {
  const resampler = new Resampler(from, to);
  const out: number[] = [];
  for (let at = 0, i = 0; at < y.length; i++) {
    const size = blocks[i % blocks.length]!;
    out.push(...resampler.push(y.subarray(at, at + size)));
    at += size;
  }
  out.push(...resampler.finish());
  return Float32Array.from(out);
}

const dB = (ratio: number) => 20 * Math.log10(ratio);
const rms = (values: readonly number[]) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);

/** Returns the error of a resampled tone relative to the tone itself, away from the ends, dB. */
function errorDb(hz: number, from: number, to: number): number {
  const y = resample(tone(hz, from, from / 2), from, to);
  const truth = tone(hz, to, y.length);
  const middle = [...y.keys()].slice(to / 10, -to / 10);
  return dB(rms(middle.map((n) => y[n]! - truth[n]!)) / rms(middle.map((n) => truth[n]!)));
}

describe("resampling", () => {
  test.each([
    [48_000, 44_100, 100],
    [48_000, 44_100, 1000],
    [48_000, 44_100, 10_000],
    [48_000, 44_100, 18_000],
    [96_000, 44_100, 18_000],
    [32_000, 44_100, 13_000],
    [22_050, 44_100, 9000],
    [44_100, 22_050, 9000],
  ])("from %i to %i Hz keeps the time and level of a tone of %i Hz within -80 dB", (from, to, hz) => {
    expect(errorDb(hz, from, to)).toBeLessThan(-80);
  });

  test.each([
    [48_000, 44_100, 22_100],
    [48_000, 44_100, 23_500],
    [96_000, 44_100, 30_000],
    [44_100, 22_050, 11_100],
  ])("from %i to %i Hz suppresses a tone of %i Hz above the new band by 80 dB", (from, to, hz) => {
    const y = resample(tone(hz, from, from / 2), from, to);
    expect(dB(rms([...y].slice(to / 10, -to / 10)) / Math.SQRT1_2)).toBeLessThan(-80);
  });

  test("from 16 to 44.1 kHz creates no image of a tone", () => {
    expect(errorDb(6500, 16_000, 44_100)).toBeLessThan(-80);
  });

  test.each([
    [48_000, 44_100, 48_000, 44_100],
    [48_000, 44_100, 1, 1],
    [8000, 44_100, 3, 17],
    [44_100, 22_050, 7, 4],
    [48_000, 44_100, 0, 0],
  ])("from %i to %i Hz converts %i samples to %i", (from, to, given, expected) => {
    expect(resample(new Float32Array(given), from, to)).toHaveLength(expected);
  });

  test("does not depend on the block sizes", () => {
    const y = tone(440, 48_000, 9600);
    expect(resample(y, 48_000, 44_100, [1])).toEqual(resample(y, 48_000, 44_100, [9600]));
  });

  test("keeps an impulse at its time", () => {
    const y = new Float32Array(4800);
    y[1600] = 1;
    const out = resample(y, 48_000, 44_100);
    expect(out.indexOf(Math.max(...out))).toBe(1470);
  });

  test("refuses invalid rates", () => {
    for (const rate of [0, 44_100.5, Number.NaN]) expect(() => new Resampler(rate, 44_100)).toThrow(RangeError);
  });
});
