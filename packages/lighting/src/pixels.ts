import { modulo } from "./maths.ts";

/**
 * What the heads of a lamp with many do in place of what their cue says for lamps, as its `pixels`:
 *
 *   run      light runs along the row of lamps, pixel after pixel, with a tail behind it
 *   wave     a soft wave along the row
 *   sparkle  single pixels come up and fade, others each time
 *   meter    each lamp fills up from its first pixel, a matrix from its lowest row, with the curve of the cue's band
 */
export const PIXEL_SHAPES = ["run", "wave", "sparkle", "meter"] as const;
export type PixelShape = (typeof PIXEL_SHAPES)[number];

/** Lamps with fewer heads are no row of pixels. */
export const LEAST_PIXELS = 3;

/** What a cue says of pixels. */
export interface PixelCue {
  /** Index into {@link PIXEL_SHAPES}; -1 for a cue whose pixels are lamps like others. */
  readonly pixels: number;
  /** Beats of a run along the whole row, of a wave, of one sparkle. */
  readonly pixelBeats: number;
  /** Level of a lit pixel; below 0 the cue's own level. */
  readonly pixelLevel: number;
  /** Level of one that rests, as a share of that. */
  readonly pixelRest: number;
  /** Of a run: how long its tail is, as a part of the row. Of sparkles: part of the pixels that are lit at a time. */
  readonly pixelShare: number;
  readonly pixelSeed: number;
  /** 1 left to right, -1 back. */
  readonly direction: number;
}

/** Where a pixel is. */
export interface PixelPlace {
  /** Which head of its group it is. */
  readonly nth: number;
  /** Column in the row of its group, of how many. */
  readonly index: number;
  readonly count: number;
  /** Which pixel of its lamp, or row of a matrix from below, of how many. */
  readonly own: number;
  readonly ownCount: number;
}

/** Part of a sparkle in which it comes up. */
const SPARKLE_RISE = 0.15;

/**
 * Perceptual level of one pixel. Allocation free.
 * @param phase turns of the cue's `pixelBeats`
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

/** A number in [0, 1) that is always the same for the same three. */
function chanceOf(seed: number, pixel: number, slot: number): number {
  let x = (seed ^ Math.imul(pixel + 1, 0x9e3779b1) ^ Math.imul(slot + 2, 0x85ebca6b)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return ((x ^ (x >>> 16)) >>> 0) / 4294967296;
}
