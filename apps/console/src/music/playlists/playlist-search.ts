import { text } from "../../lib/list-search.ts";

/** The Playlists screen's state in its address. */
export interface PlaylistSearch {
  /** The form of a new playlist is open. */
  readonly open?: "new" | undefined;
  /** Id of the playlist that is brought into view. */
  readonly playlist?: string | undefined;
}

export function playlistSearch(search: Record<string, unknown>): PlaylistSearch {
  return { open: search["open"] === "new" ? "new" : undefined, playlist: text(search["playlist"]) };
}
