import type { HeardSpectrum } from "./stem-spectrum.ts";

/** Share of each bin that each stem takes, 0..1, [BINS] each; the remainder is `other`. */
export type Masks = Record<"drums" | "bass" | "vocals", Float64Array>;

/** Decides which share of each bin goes to which stem. */
export interface MaskMaker {
  /** Hops it needs after one before it can return the masks of that one. */
  readonly lookAhead: number;
  /** @returns the spectrum pushed `lookAhead` hops ago with its masks; undefined for hops before the first */
  push(heard: HeardSpectrum): { readonly heard: HeardSpectrum; readonly masks: Masks } | undefined;
}
