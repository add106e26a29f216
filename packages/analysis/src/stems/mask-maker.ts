import type { HeardSpectrum } from "./stem-spectrum.ts";

/** Share of each bin that a stem takes, 0..1, [BINS] each; what the three leave is other. */
export type Masks = Record<"drums" | "bass" | "vocals", Float64Array>;

/** Decides which share of each bin goes to which stem. */
export interface MaskMaker {
  /** Hops it must hear after one before it has the masks of that one. */
  readonly lookAhead: number;
  /** @returns the spectrum pushed `lookAhead` hops ago with its masks; nothing for hops before the first */
  push(heard: HeardSpectrum): { readonly heard: HeardSpectrum; readonly masks: Masks } | undefined;
}
