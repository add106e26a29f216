import { describe, expect, test } from "vitest";
import { hueDistance, oklchOfHex } from "../color.ts";
import { extractColors } from "./extract-colors.ts";
import { HARMONIES, hasHue, harmonise } from "./harmony.ts";
import { LED_PALETTES } from "./led-palettes.ts";
import { chooseAlternatives, matchPalettes } from "./match-palettes.ts";
import { keyColors } from "./song-colors.ts";

const bytesOf = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** Returns a picture with areas: each color with its number of pixels. */
const picture = (areas: readonly (readonly [hex: string, pixels: number])[]) =>
  Uint8Array.from(areas.flatMap(([hex, pixels]) => Array.from({ length: pixels }, () => bytesOf(hex)).flat()));

const near = (hex: string, other: string) => {
  const [p, q] = [oklchOfHex(hex), oklchOfHex(other)];
  return Math.abs(p.l - q.l) < 0.04 && Math.abs(p.c - q.c) < 0.04 && hueDistance(p.h, q.h) < 8;
};

describe("dominant colors of a picture", () => {
  test("are those that it consists of", () => {
    const found = extractColors(picture([["#c02020", 500], ["#2040c0", 400], ["#e0c020", 300]])); // prettier-ignore
    expect(found).toHaveLength(3);
    for (const made of ["#c02020", "#2040c0", "#e0c020"]) expect(found.some((hex) => near(hex, made))).toBe(true);
  });

  test("start with a small strong color, not with a large gray area", () => {
    const [first] = extractColors(picture([["#808080", 3600], ["#e02030", 400]])); // prettier-ignore
    expect(near(first!, "#e02030")).toBe(true);
  });

  test("merge shades of one color, and leave out a stray pixel", () => {
    const found = extractColors(picture([["#c02020", 2000], ["#c42424", 2000], ["#20c020", 1]])); // prettier-ignore
    expect(found).toHaveLength(1);
  });

  test("do not depend on the order of the pixels", () => {
    const areas = [["#c02020", 300], ["#2040c0", 200], ["#20a060", 100]] as const; // prettier-ignore
    expect(extractColors(picture(areas.toReversed()))).toEqual(extractColors(picture(areas)));
  });

  test("of a gray picture are that gray, which has no hue", () => {
    const found = extractColors(picture([["#777777", 100]]));
    expect(found).toEqual(["#777777"]);
    expect(hasHue("#777777")).toBe(false);
    expect(hasHue("#c02020")).toBe(true);
    expect(extractColors(new Uint8Array())).toEqual([]);
  });
});

describe("a harmony", () => {
  test.each([
    ["complementary", [0, 180, 30]],
    ["triadic", [0, 120, 240]],
    ["tetradic", [0, 90, 180, 270]],
    ["analogous", [0, 30, 330]],
    ["split_complementary", [0, 150, 210]],
  ] as const)("%s has its angles on the hue circle", (harmony, angles) => {
    const base = oklchOfHex("#2266cc").h;
    const hues = harmonise("#2266cc", harmony).map((hex) => oklchOfHex(hex).h);
    expect(hues).toHaveLength(angles.length);
    for (const [i, angle] of angles.entries()) expect(hueDistance(hues[i]!, base + angle)).toBeLessThan(4);
  });

  test("of one hue varies the lightness", () => {
    const shades = harmonise("#2266cc", "monochromatic").map(oklchOfHex);
    expect(new Set(shades.map(({ l }) => l.toFixed(1))).size).toBe(3);
    for (const { h } of shades) expect(hueDistance(h, shades[0]!.h)).toBeLessThan(4);
  });

  test("consists of colors that fixtures show strongly, from any base", () => {
    for (const hex of ["#000000", "#ffffff", "#808080", "#010203", "#ff00ff"])
      for (const harmony of HARMONIES)
        for (const made of harmonise(hex, harmony)) {
          expect(made).toMatch(/^#[0-9a-f]{6}$/);
          expect(oklchOfHex(made).c).toBeGreaterThan(0.09);
        }
  });
});

describe("the library of LED palettes", () => {
  test("has at least 30 distinct palettes of three or more colors each", () => {
    expect(LED_PALETTES.length).toBeGreaterThanOrEqual(30);
    expect(new Set(LED_PALETTES.map(({ id }) => id)).size).toBe(LED_PALETTES.length);
    expect(new Set(LED_PALETTES.map(({ colors }) => colors.join())).size).toBe(LED_PALETTES.length);
    for (const { colors } of LED_PALETTES) {
      expect(colors.length).toBeGreaterThanOrEqual(3);
      expect(new Set(colors).size).toBe(colors.length);
    }
  });

  test("matches each palette best with its own colors", () => {
    for (const palette of LED_PALETTES) {
      const [best] = matchPalettes(palette.colors, LED_PALETTES);
      expect([best!.palette.id, best!.match.toFixed(3)]).toEqual([palette.id, "1.000"]);
    }
  });

  test("gives match and diversity between 0 and 1 for any colors", () => {
    for (const colors of [[], ["#000000"], ["#ffffff", "#808080"], ["#ff0000"]])
      for (const { match, diversity } of matchPalettes(colors, LED_PALETTES)) {
        expect(match).toBeGreaterThanOrEqual(0);
        expect(match).toBeLessThanOrEqual(1);
        expect(diversity).toBeGreaterThan(0);
        expect(diversity).toBeLessThanOrEqual(1);
      }
  });

  test("offers varied alternatives, the best match first", () => {
    const matches = matchPalettes(["#1040d0", "#20a0e0"], LED_PALETTES);
    const offered = chooseAlternatives(matches, 6);
    expect(offered[0]).toBe(matches[0]);
    expect(offered).toHaveLength(6);
    const spread = (some: typeof matches) => new Set(some.map(({ palette }) => Math.round(oklchOfHex(palette.colors[0]!).h / 30))).size; // prettier-ignore
    expect(spread(offered)).toBeGreaterThan(spread(matches.slice(0, 6)));
    expect(chooseAlternatives(matches, 500)).toHaveLength(LED_PALETTES.length);
  });
});

describe("the colors of a key", () => {
  test("follow the circle of fifths", () => {
    const hue = (key: string) => oklchOfHex(keyColors(key)[0]!).h;
    const circle = ["C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#", "F"].map((tonic) =>
      hue(`${tonic} major`),
    );
    for (const [i, h] of circle.entries()) expect(hueDistance(h, circle[(i + 1) % 12]!)).toBeGreaterThan(20);
    expect(hueDistance(hue("A minor"), hue("C major"))).toBeLessThan(6);
    expect(keyColors("Gb major")).toEqual(keyColors("F# major"));
  });

  test("are none without a known key", () => {
    for (const text of ["", "unknown", "H major", "C", "constructor major"]) expect(keyColors(text)).toEqual([]);
  });
});
