import { hexOfOklch, maxChroma, oklchOfHex, wrapHue } from "../color.ts";
import { clamp } from "../maths.ts";

/** Hue steps of each harmony, degrees from the base. */
const TURNS = {
  complementary: [0, 180, 30],
  analogous: [0, 30, -30],
  split_complementary: [0, 150, 210],
  triadic: [0, 120, 240],
  tetradic: [0, 90, 180, 270],
  monochromatic: [0, 0, 0],
} as const;

export type Harmony = keyof typeof TURNS;
export const HARMONIES = Object.keys(TURNS) as readonly Harmony[];
export const DEFAULT_HARMONY: Harmony = "complementary";

/** Lightness of the three shades of one hue, relative to its strongest color. */
const SHADES = [0, -0.13, -0.26];
/** Share of the strongest chroma in sRGB. */
const STRENGTH = 0.97;
/** Chroma below which a color has no usable hue. */
const LEAST_CHROMA = 0.035;

/** Whether a color has a hue that a harmony can start from. Gray, black and white have none. */
export function hasHue(hex: string): boolean {
  return oklchOfHex(hex).c >= LEAST_CHROMA;
}

/**
 * Returns the strongest color of a hue: deep for blue and violet, light for yellow, as fixtures show them.
 *
 * @param hue degrees in OKLCH
 * @param shade how much lighter (above 0) or darker than that
 */
export function lampColor(hue: number, shade = 0): string {
  const h = wrapHue(hue);
  const l = clamp(strongestLightness(h) + shade, 0.2);
  return hexOfOklch({ l, c: maxChroma(l, h) * STRENGTH, h });
}

/** Returns the lightness at which sRGB has the largest chroma for a hue. */
function strongestLightness(h: number): number {
  let best = { l: 0, c: 0 };
  for (let l = 0.4; l <= 0.97; l += 0.01) {
    const c = maxChroma(l, h);
    if (c > best.c) best = { l, c };
  }
  return best.l;
}

/** Returns three or four fixture colors in harmony with a color, as #rrggbb, the base first. */
export function harmonise(hex: string, harmony: Harmony): string[] {
  const { h } = oklchOfHex(hex);
  return TURNS[harmony].map((turn, i) => lampColor(h + turn, harmony === "monochromatic" ? SHADES[i] : 0));
}
