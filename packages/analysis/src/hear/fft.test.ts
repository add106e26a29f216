import { expect, test } from "vitest";
import { fftOf } from "./fft.ts";

test.each([16, 128, 2048])("computes a transform of %i points that equals its definition", (size) => {
  const fft = fftOf(size);
  const re = Array.from({ length: size }, (_, n) => Math.sin(n * n));
  const im = Array.from({ length: size }, (_, n) => Math.cos(3 * n));
  re.forEach((v, n) => fft.values.set([v, im[n]!], 2 * n));
  fft.transform();
  for (let k = 0; k < size; k++) {
    let x = 0;
    let y = 0;
    for (let n = 0; n < size; n++) {
      const angle = (-2 * Math.PI * k * n) / size;
      x += re[n]! * Math.cos(angle) - im[n]! * Math.sin(angle);
      y += re[n]! * Math.sin(angle) + im[n]! * Math.cos(angle);
    }
    expect(fft.values[2 * k]).toBeCloseTo(x, 3);
    expect(fft.values[2 * k + 1]).toBeCloseTo(y, 3);
  }
});

test("refuses a length that is not a power of two", () => {
  expect(() => fftOf(48)).toThrow(RangeError);
});
