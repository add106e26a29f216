import { expect, test } from "vitest";
import { pictureAngle, pictureBars } from "./picture-bars.ts";

test("the picture of a song without a cover has bars as high as each ninth is loud", () => {
  const levels = Uint8Array.from({ length: 90 }, (_, at) => (at < 10 ? 0 : at < 20 ? 255 : 51));
  const bars = pictureBars({ outline: { levels } as never });
  expect(bars).toHaveLength(9);
  expect(bars.slice(0, 3)).toEqual([0.08, 1, 0.2]);
});

test("a song without analysis has no bars, and its colors always have the same angle", () => {
  expect(pictureBars({ outline: undefined } as never)).toEqual([]);
  expect(pictureAngle({ id: "01M8D7" })).toBe(pictureAngle({ id: "01M8D7" }));
});
