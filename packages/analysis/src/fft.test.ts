import { expect, test } from "vitest";
import { createFft } from "./fft.ts";

test.each([4, 8, 64, 128])("a transform of %i points equals its definition", (size) => {
  const fft = createFft(size);
  const re = Array.from({ length: size }, (_, n) => Math.sin(n * n));
  const im = Array.from({ length: size }, (_, n) => Math.cos(3 * n));
  fft.re.set(re);
  fft.im.set(im);
  fft.transform();
  for (let k = 0; k < size; k++) {
    let x = 0;
    let y = 0;
    for (let n = 0; n < size; n++) {
      const angle = (-2 * Math.PI * k * n) / size;
      x += re[n]! * Math.cos(angle) - im[n]! * Math.sin(angle);
      y += re[n]! * Math.sin(angle) + im[n]! * Math.cos(angle);
    }
    expect(fft.re[k]).toBeCloseTo(x, 9);
    expect(fft.im[k]).toBeCloseTo(y, 9);
  }
});

test("a length that is no power of two is refused", () => {
  expect(() => createFft(12)).toThrow(RangeError);
});
