import type { SongAnalysis } from "@followspot/contract";
import { hexOfOklch, oklchOfHex, wrapHue } from "../color.ts";
import { moodOf } from "../plan/mood.ts";
import { choosePalette } from "../plan/palette.ts";
import { lampColor } from "./harmony.ts";

/** Steps on the circle of fifths from C for each pitch class. */
const FIFTHS: Readonly<Record<string, number>> = {
  C: 0, G: 1, D: 2, A: 3, E: 4, B: 5, "F#": 6, Gb: 6, "C#": 7, Db: 7, "G#": 8, Ab: 8, "D#": 9, Eb: 9, "A#": 10, Bb: 10, F: 11,
}; // prettier-ignore
/** C is red, as in A. Scriabin's table of 1911 (Prometheus); a fifth is a twelfth of the hue circle. */
const HUE_OF_C = 29;
const DEGREES_PER_FIFTH = 30;
/** Lightness shift of minor keys, which are darker. */
const MINOR_SHADE = -0.14;

/**
 * Returns the colors of a key such as "F# minor": tonic, dominant and subdominant on a hue circle laid over the circle
 * of fifths.
 *
 * @returns three colors as #rrggbb; empty for a text that is not a key
 */
export function keyColors(key: string): string[] {
  const [, tonic = "", mode = ""] = /^([A-G][#b]?) (major|minor)$/.exec(key) ?? [];
  const fifths = FIFTHS[tonic];
  if (fifths === undefined) return [];
  // A minor key sits at its relative major, three fifths away.
  const place = fifths + (mode === "minor" ? -3 : 0);
  const shade = mode === "minor" ? MINOR_SHADE : 0;
  return [0, 1, -1].map((step) => lampColor(HUE_OF_C + DEGREES_PER_FIFTH * (place + step), shade));
}

/** Returns the colors of a song without a cover, from its mood. @returns three to five colors as #rrggbb */
export function colorsOfAnalysis(analysis: SongAnalysis): string[] {
  const { base, second, contrast } = choosePalette(analysis, 0, moodOf(analysis), undefined);
  const { l, c, h } = oklchOfHex(base);
  return [base, second, contrast, hexOfOklch({ l: l - 0.15, c, h: wrapHue(h - 15) })];
}
