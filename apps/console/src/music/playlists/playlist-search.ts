import { text } from "../../lib/list-search.ts";

/** State of the Playlists screen in its address. */
export interface PlaylistSearch {
  /** Whether the form of a new playlist is open. */
  readonly open?: "new" | undefined;
  /** ID of the playlist that is scrolled into view. */
  readonly playlist?: string | undefined;
}

export function playlistSearch(search: Record<string, unknown>): PlaylistSearch {
  return { open: search["open"] === "new" ? "new" : undefined, playlist: text(search["playlist"]) };
}
