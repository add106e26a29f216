import type { PlaylistSong } from "@followspot/contract/music";

export const idOf = ({ song }: PlaylistSong): string => song?.id ?? "";

/** Ids of the songs a person put where they are; the others come behind them, by votes. */
export const placedOf = (places: readonly PlaylistSong[]): readonly string[] =>
  places.filter(({ isPlaced }) => isPlaced).map(idOf);

/**
 * Ids to be placed so that a song comes behind the one that plays. Of the others only those that were placed stay so: votes go
 * on moving the rest.
 */
export function withNext(places: readonly PlaylistSong[], playing: string, next: string): readonly string[] {
  const others = places.filter((place) => ![playing, next].includes(idOf(place)));
  const isOver = ({ played }: PlaylistSong) => played;
  return [...placedOf(others.filter(isOver)), playing, next, ...placedOf(others.filter((each) => !isOver(each)))];
}
