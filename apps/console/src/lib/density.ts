import { createStoredChoice } from "./stored-choice.ts";

/** Row heights of tables. */
export const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

export const density = createStoredChoice<Density>("followspot.density", DENSITIES, "comfortable");

export const chooseDensity = (next: Density): void => density.choose(next);

/** Height of a table row at comfortable density, px: 44; 52 with pictures; 68 with three lines of text. */
export type RowHeight = 44 | 52 | 68;

/** Returns the height of a table row, px. @param comfortable its height at comfortable density, px */
export const rowHeightAt = (chosen: Density, comfortable: RowHeight): number =>
  chosen === "comfortable" ? comfortable : comfortable - 8;
