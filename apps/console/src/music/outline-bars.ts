import type { SongOutline } from "@followspot/contract/music";

/**
 * Bars of one section as an SVG path. The box is as wide as the number of levels and 1 high, with the center line at
 * 0.5.
 */
export interface OutlineBars {
  readonly label: string;
  readonly path: string;
}

/** Minimum height of a bar: a quiet part is still part of the song. */
const LEAST = 0.04;

/** Draws the outline as bars, section by section. Without sections, the whole song is one section without a label. */
export function outlineBars({ levels, parts }: Pick<SongOutline, "levels" | "parts">): readonly OutlineBars[] {
  const all = parts.length > 0 ? parts : [{ label: "", until: 1 }];
  let from = 0;
  return all.map(({ label, until }, index) => {
    const to = index === all.length - 1 ? levels.length : Math.round(until * levels.length);
    let path = "";
    for (; from < to; from++) {
      const half = Math.max(LEAST, (levels[from] ?? 0) / 255) / 2;
      path += `M${from + 0.5} ${(0.5 - half).toFixed(3)}V${(0.5 + half).toFixed(3)}`;
    }
    return { label, path };
  });
}

/** Lists the sections in order, for screen readers. */
export const outlineWords = (parts: SongOutline["parts"]): string => parts.map(({ label }) => label).join(", ");
