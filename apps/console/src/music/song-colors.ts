import type { Song } from "@followspot/contract/music";

/** #rrggbb of what a song's show is lit in, base first; none before it is planned. */
export function paletteOf({ colorPalette }: Pick<Song, "colorPalette">): readonly string[] {
  if (!colorPalette) return [];
  const colors = JSON.parse(colorPalette) as unknown;
  return Array.isArray(colors) ? colors.filter((each) => typeof each === "string") : [];
}
