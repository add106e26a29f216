import { hexOfLinear, linearOfBytes, oklabOfLinear, type LinearRgb } from "../color.ts";

/** Side of an OKLab box in which pixels count as one color. */
const BOX = 0.05;
/** Distance below which colors count as one. */
const APART = 0.13;
/** Weight of a gray pixel relative to a colorful one. Backgrounds are large but not characteristic. */
const GREY_WEIGHT = 0.06;
/** Smallest share of the pixels for a color to count. */
const LEAST_SHARE = 0.004;

interface Box {
  pixels: number;
  r: number;
  g: number;
  b: number;
}

interface Candidate {
  readonly rgb: LinearRgb;
  readonly lab: Lab;
  readonly weight: number;
}

interface Lab {
  readonly l: number;
  readonly a: number;
  readonly b: number;
}

/**
 * Returns the dominant colors of a picture as #rrggbb, most characteristic first: large or colorful, and distinct.
 *
 * @param pixels RGB, three bytes each; the order of the pixels does not matter
 * @param most 1..16
 * @returns at least one color unless there are no pixels
 */
export function extractColors(pixels: Uint8Array, most = 5): string[] {
  const candidates = candidatesOf(pixels);
  const chosen: Candidate[] = [];
  while (chosen.length < most) {
    const next = heaviest(candidates, chosen);
    if (!next) break;
    chosen.push(next);
  }
  return chosen.map(({ rgb }) => hexOfLinear(rgb));
}

function candidatesOf(pixels: Uint8Array): Candidate[] {
  const boxes = new Map<string, Box>();
  const count = Math.floor(pixels.length / 3);
  for (let i = 0; i < count * 3; i += 3) {
    const rgb = linearOfBytes(pixels[i]!, pixels[i + 1]!, pixels[i + 2]!);
    const { l, a, b } = oklabOfLinear(rgb);
    const key = [l, a, b].map((value) => Math.round(value / BOX)).join();
    const box = boxes.get(key) ?? { pixels: 0, r: 0, g: 0, b: 0 };
    boxes.set(key, box);
    box.pixels++;
    box.r += rgb.r;
    box.g += rgb.g;
    box.b += rgb.b;
  }
  return [...boxes.values()].flatMap((box) => {
    if (box.pixels < count * LEAST_SHARE && boxes.size > 1) return [];
    const rgb = { r: box.r / box.pixels, g: box.g / box.pixels, b: box.b / box.pixels };
    const lab = oklabOfLinear(rgb);
    // The square root limits the weight of size: a sky of half the picture is not 50 times a red guitar.
    return [{ rgb, lab, weight: Math.sqrt(box.pixels / count) * (GREY_WEIGHT + Math.hypot(lab.a, lab.b)) }];
  });
}

function heaviest(candidates: readonly Candidate[], chosen: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  for (const candidate of candidates) {
    if (chosen.some(({ lab }) => distance(lab, candidate.lab) < APART)) continue;
    if (!best || candidate.weight > best.weight) best = candidate;
  }
  return best;
}

const distance = (p: Lab, q: Lab) => Math.hypot(p.l - q.l, p.a - q.a, p.b - q.b);
