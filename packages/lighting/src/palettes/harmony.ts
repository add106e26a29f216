import { hexOfOklch, maxChroma, oklchOfHex, wrapHue } from "../color.ts";

/** Ways to go round the hue circle, in degrees from the base. */
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

/** OKLCH lightness at which a colour is strong on a lamp, and for one hue in three strengths. */
const LIGHTNESS = 0.7;
const SHADES = [0.7, 0.55, 0.82];
/** Share of the strongest colour sRGB has there. */
const STRENGTH = 0.92;
/** Below this chroma a colour has no hue to speak of. */
const LEAST_CHROMA = 0.035;

/** Whether a colour has a hue that a harmony can start from; greys, black and white have none. */
export function hasHue(hex: string): boolean {
  return oklchOfHex(hex).c >= LEAST_CHROMA;
}

/** A lamp colour of this hue. @param hue degrees in OKLCH @param lightness 0..1 */
export function lampColor(hue: number, lightness = LIGHTNESS): string {
  const h = wrapHue(hue);
  return hexOfOklch({ l: lightness, c: maxChroma(lightness, h) * STRENGTH, h });
}

/** Three or four lamp colours that go with the hue of a colour, the base first (as #rrggbb). */
export function harmonise(hex: string, harmony: Harmony): string[] {
  const { h } = oklchOfHex(hex);
  return TURNS[harmony].map((turn, i) => lampColor(h + turn, harmony === "monochromatic" ? SHADES[i] : undefined));
}
