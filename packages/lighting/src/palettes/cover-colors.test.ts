import { describe, expect, test } from "vitest";
import { hueDistance, oklchOfHex } from "../color.ts";
import { coverColors } from "./cover-colors.ts";

const bytesOf = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
/** Returns a picture of 100 pixels with areas of one color. */
const picture = (areas: Readonly<Record<string, number>>) =>
  Uint8Array.from(Object.entries(areas).flatMap(([hex, n]) => Array.from({ length: n }, () => bytesOf(hex)).flat()));
const hueOf = (hex: string) => oklchOfHex(hex).h;

describe("the colors of a cover", () => {
  test.each([
    ["black", { "#000000": 100 }],
    ["one gray", { "#777777": 100 }],
    ["white with a small red seal", { "#ffffff": 91, "#c01010": 9 }],
    ["a photograph with little color", { "#807a74": 60, "#6a6e72": 40 }],
  ])("are none for %s", (_, areas) => expect(coverColors(picture(areas as Record<string, number>))).toEqual([]));

  test("are none without a picture", () => expect(coverColors(new Uint8Array())).toEqual([]));

  test("contain a hue with a tenth of the pixels, however large the black around it", () => {
    const [color, ...others] = coverColors(picture({ "#000000": 88, "#ff7a00": 12 }));
    expect(hueDistance(hueOf(color!), hueOf("#ff7a00"))).toBeLessThan(3);
    expect(others).toEqual([]);
  });

  test("start with the larger of two hues, and treat shades of one hue as one", () => {
    const colors = coverColors(picture({ "#1030c0": 30, "#4060ff": 30, "#ffb000": 40 }));
    expect(colors).toHaveLength(2);
    expect(hueDistance(hueOf(colors[0]!), hueOf("#2040e0"))).toBeLessThan(8);
    expect(hueDistance(hueOf(colors[1]!), hueOf("#ffb000"))).toBeLessThan(5);
  });

  test("are green for a green cover", () => {
    expect(hueDistance(hueOf(coverColors(picture({ "#00c800": 100 }))[0]!), hueOf("#00ff00"))).toBeLessThan(3);
  });
});
