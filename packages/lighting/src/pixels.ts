import { modulo } from "./maths.ts";

/**
 * Pixel effects of fixtures with many heads. The `pixels` parameter of a cue selects one; it replaces the cue's own effect.
 *
 *   run      light runs along the row of fixtures, pixel after pixel, with a tail behind it
 *   wave     a soft wave along the row
 *   sparkle  single pixels fade in and out, different ones each time
 *   meter    each fixture fills up from its first pixel, a matrix from its lowest row, following the curve of the cue's band
 */
export const PIXEL_SHAPES = ["run", "wave", "sparkle", "meter"] as const;
export type PixelShape = (typeof PIXEL_SHAPES)[number];

/** Fewest heads that make a fixture a row of pixels. */
export const LEAST_PIXELS = 3;

/** Pixel parameters of a cue. */
export interface PixelCue {
  /** Index into {@link PIXEL_SHAPES}; -1 if the pixels follow the cue like ordinary heads. */
  readonly pixels: number;
  /** Length of one run along the whole row, of one wave or of one sparkle, beats. */
  readonly pixelBeats: number;
  /** Level of a lit pixel; below 0: the cue's own level. */
  readonly pixelLevel: number;
  /** Level of a resting pixel, as a share of the lit level. */
  readonly pixelRest: number;
  /** For a run: length of the tail as a share of the row. For sparkles: share of the pixels that are lit at a time. */
  readonly pixelShare: number;
  readonly pixelSeed: number;
  /** 1 left to right, -1 right to left. */
  readonly direction: number;
}

/** Position of a pixel. */
export interface PixelPlace {
  /** Index of the head in its group. */
  readonly nth: number;
  /** Column in the row of the group, and the number of columns. */
  readonly index: number;
  readonly count: number;
  /** Index of the pixel in its fixture (in a matrix, of the row from the bottom), and the number of them. */
  readonly own: number;
  readonly ownCount: number;
}

/** Share of a sparkle during which it fades in. */
const SPARKLE_RISE = 0.15;

/**
 * Returns the perceptual level of one pixel, 0..1. Allocation free.
 *
 * @param phase time in cycles of the cue's `pixelBeats`
 * @param curve value of the cue's band, 0..1
 */
export function pixelLevel(
  cue: PixelCue,
  peak: number,
  phase: number,
  curve: number,
  { nth, index, count, own, ownCount }: PixelPlace,
): number {
  const at = (cue.direction < 0 ? count - 1 - index : index) / count;
  const rest = peak * cue.pixelRest;
  switch (PIXEL_SHAPES[cue.pixels]) {
    case "run": {
      const behind = modulo(phase - at, 1);
      return behind < cue.pixelShare ? rest + (peak - rest) * (1 - behind / cue.pixelShare) : rest;
    }
    case "wave":
      return rest + (peak - rest) * (0.5 - 0.5 * Math.cos(2 * Math.PI * (phase - at)));
    case "sparkle": {
      const moment = phase + chanceOf(cue.pixelSeed, nth, -1);
      const slot = Math.floor(moment);
      if (chanceOf(cue.pixelSeed, nth, slot) >= cue.pixelShare) return rest;
      const into = moment - slot;
      return rest + (peak - rest) * (into < SPARKLE_RISE ? into / SPARKLE_RISE : (1 - into) / (1 - SPARKLE_RISE));
    }
    case "meter":
      return rest + (peak - rest) * Math.min(1, Math.max(0, curve * ownCount - own));
    default:
      return peak;
  }
}

/** Returns a pseudorandom number in [0, 1) that depends on the three arguments only. */
function chanceOf(seed: number, pixel: number, slot: number): number {
  let x = (seed ^ Math.imul(pixel + 1, 0x9e3779b1) ^ Math.imul(slot + 2, 0x85ebca6b)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return ((x ^ (x >>> 16)) >>> 0) / 4294967296;
}
