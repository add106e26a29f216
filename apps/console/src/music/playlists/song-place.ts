/** What a song is in, and what comes: seconds. */
export interface SongPlace {
  readonly section: string;
  /** undefined where no drop comes any more */
  readonly toDrop: number | undefined;
}

export function placeIn(
  sections: readonly { readonly label: string; readonly start: number }[],
  drops: readonly number[],
  position: number,
): SongPlace {
  const section = sections.findLast(({ start }) => start <= position)?.label ?? "";
  const drop = drops.find((at) => at > position);
  return { section, toDrop: drop === undefined ? undefined : drop - position };
}
