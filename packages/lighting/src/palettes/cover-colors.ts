import { hexOfLinear, linearOfBytes, oklabOfLinear, wrapHue, type LinearRgb } from "../color.ts";

/** OKLCH chroma below which a pixel has no usable color. */
const LEAST_CHROMA = 0.06;
/** Smallest share of the pixels for a hue to count. */
const LEAST_SHARE = 0.1;
/** Width of a hue bin, degrees. Three adjacent bins count as one color. */
const STEP = 10;
const STEPS = 360 / STEP;
/** Smallest distance between the colors of a cover, bins. */
const APART = 5;
const MOST = 2;

/** Pixels of a hue, and the sum of their light. */
interface Hue {
  pixels: number;
  r: number;
  g: number;
  b: number;
}

/**
 * Returns the colors of a cover that can light its song, as #rrggbb: the most frequent hue, and a second one.
 *
 * @param pixels RGB, three bytes each
 * @returns empty for a cover in black, white or gray, or one with a little of everything
 */
export function coverColors(pixels: Uint8Array): string[] {
  const count = Math.floor(pixels.length / 3);
  const hues = Array.from({ length: STEPS }, (): Hue => ({ pixels: 0, r: 0, g: 0, b: 0 }));
  for (let i = 0; i < count; i++) {
    const rgb = linearOfBytes(pixels[3 * i]!, pixels[3 * i + 1]!, pixels[3 * i + 2]!);
    const { a, b } = oklabOfLinear(rgb);
    if (Math.hypot(a, b) <= LEAST_CHROMA) continue;
    add(hues[Math.floor(wrapHue((Math.atan2(b, a) * 180) / Math.PI) / STEP) % STEPS]!, rgb);
  }
  const colors: string[] = [];
  const isTaken = hues.map(() => false);
  while (colors.length < MOST) {
    const sums = hues.map((_, at) => (isTaken[at] ? 0 : pixelsAround(hues, at)));
    const best = sums.indexOf(Math.max(...sums));
    if (sums[best]! < LEAST_SHARE * count || count === 0) break;
    colors.push(meanOf(around(hues, best)));
    for (let away = -APART; away <= APART; away++) isTaken[(best + away + STEPS) % STEPS] = true;
  }
  return colors;
}

function add(hue: Hue, { r, g, b }: LinearRgb): void {
  hue.pixels++;
  hue.r += r;
  hue.g += g;
  hue.b += b;
}

const around = (hues: readonly Hue[], at: number): Hue[] =>
  [-1, 0, 1].map((away) => hues[(at + away + STEPS) % STEPS]!);

const pixelsAround = (hues: readonly Hue[], at: number): number =>
  around(hues, at).reduce((sum, { pixels }) => sum + pixels, 0);

function meanOf(hues: readonly Hue[]): string {
  const sum = { pixels: 0, r: 0, g: 0, b: 0 };
  for (const { pixels, r, g, b } of hues) {
    sum.pixels += pixels;
    sum.r += r;
    sum.g += g;
    sum.b += b;
  }
  return hexOfLinear({ r: sum.r / sum.pixels, g: sum.g / sum.pixels, b: sum.b / sum.pixels });
}
