/** A section of a song; start in seconds. */
export interface PlacedSection {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

/** Converts the outline, which is part of the song's row, to sections. They are shown until the analysis is loaded. */
export function sectionsOfOutline(
  parts: readonly { readonly label: string; readonly until: number }[],
  seconds: number,
): readonly PlacedSection[] {
  return parts.map(({ label, until }, i) => {
    const from = parts[i - 1]?.until ?? 0;
    return { label, start: from * seconds, end: until * seconds };
  });
}

/** Current section of a song, with the times to the next events, s. */
export interface SongPlace {
  readonly section: string;
  /** undefined after the last drop */
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
