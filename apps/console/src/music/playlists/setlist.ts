import type { Playlist, PlaylistSong } from "@followspot/contract/music";

/** One song of a playlist with when it begins. */
export interface SetlistRow {
  readonly place: PlaylistSong;
  /** Seconds from the first note of the playlist; of a cross-fade, when its song is heard first. */
  readonly from: number;
}

/** The songs in the order they play, and seconds from the first note to the last. A song of unknown length counts nothing. */
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
