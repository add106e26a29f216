import type { Playlist, PlaylistSong } from "@followspot/contract/music";

/** A song of a playlist with its start time. */
export interface SetlistRow {
  readonly place: PlaylistSong;
  /** Start, s from the first note of the playlist; for a cross-fade, the start of the fade-in. */
  readonly from: number;
}

/**
 * Returns the songs in playing order, and the seconds from the first note to the last. A song of unknown length counts
 * as 0 s.
 */
export function setlistOf({ songs, gapSeconds }: Pick<Playlist, "songs" | "gapSeconds">): {
  readonly rows: readonly SetlistRow[];
  readonly total: number;
} {
  const rows: SetlistRow[] = [];
  let end = 0;
  for (const place of songs) {
    const from = Math.max(0, rows.length === 0 ? 0 : end + gapSeconds);
    rows.push({ place, from });
    end = from + (place.song?.duration ?? 0);
  }
  return { rows, total: end };
}
