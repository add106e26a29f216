import { readFileSync, writeFileSync } from "node:fs";
import type { Bar } from "../../packages/analysis/src/pulse/bars.ts";

/** Keep the bars of a song, to four digits. */
export function writeBars(path: string, bars: readonly Bar[]): void {
  const plain = bars.map((bar) => ({ ...bar, timbre: [...bar.timbre], chroma: [...bar.chroma] }));
  const short = (_: string, value: unknown) => (typeof value === "number" ? Math.round(value * 1e4) / 1e4 : value);
  writeFileSync(path, JSON.stringify(plain, short));
}

export function readBars(path: string): Bar[] {
  const plain = JSON.parse(readFileSync(path, "utf8")) as (Omit<Bar, "timbre" | "chroma"> & {
    timbre: number[];
    chroma: number[];
  })[];
  return plain.map((bar) => ({
    ...bar,
    timbre: Float32Array.from(bar.timbre),
    chroma: Float32Array.from(bar.chroma),
  }));
}
