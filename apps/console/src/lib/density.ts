import { createStore } from "./store.ts";

/** Row heights of tables. */
export const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

const KEY = "followspot.density";

export const density = createStore<Density>(remembered());

export function chooseDensity(next: Density): void {
  density.set(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // private window: the choice lasts as long as the page
  }
}

/** Height of a table row at comfortable density, px: 44; 52 with pictures; 68 with three lines of text. */
export type RowHeight = 44 | 52 | 68;

/** Returns the height of a table row, px. @param comfortable its height at comfortable density, px */
export const rowHeightAt = (chosen: Density, comfortable: RowHeight): number =>
  chosen === "comfortable" ? comfortable : comfortable - 8;

function remembered(): Density {
  try {
    const kept = localStorage.getItem(KEY);
    return DENSITIES.find((each) => each === kept) ?? "comfortable";
  } catch {
    return "comfortable";
  }
}
