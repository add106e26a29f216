/** A section of a song, seconds. */
export interface PlacedSection {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

/** The sections of an outline, which stand in the song's row: what is drawn until its analysis was read. */
export function sectionsOfOutline(
  parts: readonly { readonly label: string; readonly until: number }[],
  seconds: number,
): readonly PlacedSection[] {
  return parts.map(({ label, until }, i) => {
    const from = parts[i - 1]?.until ?? 0;
    return { label, start: from * seconds, end: until * seconds };
  });
}

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
