import type { Song } from "@followspot/contract/music";

/** Returns the colors of a song's show, #rrggbb, base color first; empty before it is planned. */
export function paletteOf({ colorPalette }: Pick<Song, "colorPalette">): readonly string[] {
  if (!colorPalette) return [];
  const colors = JSON.parse(colorPalette) as unknown;
  return Array.isArray(colors) ? colors.filter((each) => typeof each === "string") : [];
}
