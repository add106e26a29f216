import decodeQR from "qr/decode.js";
import { expect, test } from "vitest";
import { qrPath } from "./qr-code.tsx";

/** Rasterizes the path with four pixels per module, as a camera would see it. */
function pictureOf(text: string) {
  const { path, side } = qrPath(text);
  const [scale, width] = [4, side * 4];
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    for (let dy = 0; dy < scale; dy++)
      for (let dx = 0; dx < Number(length) * scale; dx++)
        data.fill(
          0,
          ((Number(y) * scale + dy) * width + Number(x) * scale + dx) * 4,
          ((Number(y) * scale + dy) * width + Number(x) * scale + dx) * 4 + 3,
        );
  }
  return { data, width, height: width };
}

test("draws a code that a QR reader decodes", () => {
  for (const text of ["A", "https://night.example/stage/01JDABCDEFGHJKMNPQRSTVWXYZ#Zm9sbG93c3BvdC1mb2xsb3dzcG90LTEy"]) {
    expect(decodeQR(pictureOf(text))).toBe(text);
  }
});
