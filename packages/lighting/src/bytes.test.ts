import { describe, expect, it } from "vitest";
import {
  amountOf,
  byteOf,
  coarseByteOf,
  emittersOf,
  fineByteOf,
  headsOf,
  hueOf,
  isSubtractive,
  PART,
  saturationOf,
  scaledByte,
  WRITE,
  type Write,
} from "./bytes.ts";
import { GENERIC_FIXTURES } from "./fixtures.ts";

/** Returns the byte of a plain 8-bit channel. */
function emitterByte(write: Write, level: number, dim: number, r: number, g: number, b: number, drawsWhite: boolean) {
  const scale = isSubtractive(write) ? { ...PLAIN, from: 255, to: 0, closed: 255 } : PLAIN;
  return scaledByte(amountOf(write, level, dim, r, g, b, drawsWhite), scale);
}

const PLAIN = { part: PART.whole, from: 0, to: 255, closed: 0, isSquare: false };

describe("bytes", () => {
  it.each([
    [-1, 0],
    [0, 0],
    [0.001, 0],
    [0.002, 1],
    [0.5, 128],
    [0.998, 254],
    [0.999, 255],
    [1, 255],
    [7, 255],
    [Number.NaN, 0],
  ])("converts level %f to byte %i", (level, byte) => {
    expect(byteOf(level)).toBe(byte);
  });

  it.each([
    [0, 0, 0],
    [0.5, 128, 0],
    [1, 255, 255],
    [0.25, 64, 0],
    [1 / 65535, 0, 1],
    [256 / 65535, 1, 0],
    [Number.NaN, 0, 0],
  ])("splits %f into coarse %i and fine %i", (value, coarse, fine) => {
    expect([coarseByteOf(value), fineByteOf(value)]).toEqual([coarse, fine]);
  });

  it("dims a fixture without a dimmer channel by its colors", () => {
    expect(emitterByte(WRITE.red, 0.5, 0.5, 1, 0, 0, false)).toBe(128);
  });

  it("keeps colors at full on a fixture with a dimmer channel", () => {
    expect(emitterByte(WRITE.red, 0.5, 1, 1, 0, 0, false)).toBe(255);
  });

  it("moves the common part of all three colors to the white emitter", () => {
    const bytes = [WRITE.red, WRITE.green, WRITE.blue, WRITE.white].map((w) => emitterByte(w, 1, 1, 1, 0.6, 0.4, true));
    expect(bytes).toEqual([153, 51, 0, 102]);
  });

  it("sets colors to zero at level zero", () => {
    expect([WRITE.red, WRITE.white, WRITE.amber, WRITE.uv].map((w) => emitterByte(w, 0, 1, 1, 0.3, 1, true))).toEqual([
      0, 0, 0, 0,
    ]);
  });

  it("writes subtractive colors as the complement", () => {
    expect(emitterByte(WRITE.cyan, 1, 1, 0.25, 1, 1, false)).toBe(191);
  });

  it.each([
    [0, { from: 8, to: 134 }, 0],
    [0.001, { from: 8, to: 134 }, 8],
    [0.5, { from: 8, to: 134 }, 71],
    [1, { from: 8, to: 134 }, 134],
    [1, { from: 134, to: 8 }, 8],
    [0.25, { isSquare: true }, 128],
    [0, { closed: 3 }, 3],
    [Number.NaN, { from: 8, to: 9, closed: 1 }, 1],
    [7, { from: 10, to: 20 }, 20],
  ])("writes %f to a channel with %j as byte %i", (amount, scale, byte) => {
    expect(scaledByte(amount, { ...PLAIN, ...scale })).toBe(byte);
  });

  it("splits a 16-bit dimmer over both bytes", () => {
    const bytes = [PART.coarse, PART.fine].map((part) => scaledByte(1000 / 65535, { ...PLAIN, part }));
    expect(bytes).toEqual([3, 232]);
  });

  it.each([
    [1, 0, 0, 0, 1],
    [0, 1, 0, 1 / 3, 1],
    [0, 0, 1, 2 / 3, 1],
    [1, 0, 1, 5 / 6, 1],
    [1, 1, 1, 0, 0],
    [1, 0.5, 0.5, 0, 0.5],
    [0, 0, 0, 0, 0],
  ])("light %f %f %f has hue %f and saturation %f", (r, g, b, hue, saturation) => {
    expect(hueOf(r, g, b)).toBeCloseTo(hue, 9);
    expect(saturationOf(r, g, b)).toBeCloseTo(saturation, 9);
  });

  it("never drives hazers and lasers", () => {
    const machines = GENERIC_FIXTURES.filter((f) => f.type === "hazer" || f.type === "laser");
    expect(
      machines.flatMap((f) => f.modes).every((mode) => headsOf(mode).every((h) => emittersOf(mode, h).isUnlit)),
    ).toBe(true);
  });
});

describe("generic fixtures", () => {
  it("have keys with distinct first two words", () => {
    const short = GENERIC_FIXTURES.map((f) => f.key.split("_").slice(0, 2).join(" "));
    expect(GENERIC_FIXTURES.every((f) => /^[a-z0-9]+(_[a-z0-9]+)+$/.test(f.key))).toBe(true);
    expect(new Set(GENERIC_FIXTURES.map((f) => f.key)).size).toBe(short.length);
  });
});
