import type { PlaylistSong } from "@followspot/contract/music";

export const idOf = ({ song }: PlaylistSong): string => song?.id ?? "";

/** Ids in an order with a song behind the one that plays: those that are over, the one that plays, this one, the others as they stand. */
export function withNext(places: readonly PlaylistSong[], playing: string, next: string): readonly string[] {
  const others = places.filter((place) => ![playing, next].includes(idOf(place)));
  const isOver = ({ played }: PlaylistSong) => played;
  return [...others.filter(isOver).map(idOf), playing, next, ...others.filter((each) => !isOver(each)).map(idOf)];
}
