import type { PlaylistSong } from "@followspot/contract/music";

export const idOf = ({ song }: PlaylistSong): string => song?.id ?? "";

/** Returns the IDs of the songs with a fixed position; the others follow in the order of votes. */
export const placedOf = (places: readonly PlaylistSong[]): readonly string[] =>
  places.filter(({ isPlaced }) => isPlaced).map(idOf);

/**
 * Returns the IDs to place so that a song follows the current one. Other songs stay placed only if they were; votes
 * still move the rest.
 */
export function withNext(places: readonly PlaylistSong[], playing: string, next: string): readonly string[] {
  const others = places.filter((place) => ![playing, next].includes(idOf(place)));
  const isOver = ({ played }: PlaylistSong) => played;
  return [...placedOf(others.filter(isOver)), playing, next, ...placedOf(others.filter((each) => !isOver(each)))];
}
