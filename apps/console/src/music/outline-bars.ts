import type { SongOutline } from "@followspot/contract/music";

/** Bars of one section: an SVG path in a box as wide as there are levels and 1 high, the middle at 0.5. */
export interface OutlineBars {
  readonly label: string;
  readonly path: string;
}

/** No bar is thinner: a quiet part is still part of the song. */
const LEAST = 0.04;

/** The outline as bars, section by section. Where no section is known all of it is one without a label. */
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

/** The sections one after the other, for a screen reader. */
export const outlineWords = (parts: SongOutline["parts"]): string => parts.map(({ label }) => label).join(", ");
