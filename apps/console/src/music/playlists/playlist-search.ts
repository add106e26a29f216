import { text } from "../../lib/list-search.ts";

/** State of the Playlists screen in its address. */
export interface PlaylistSearch {
  /** The open dialog: the form of a new playlist, or the link of the player. */
  readonly open?: "new" | "player" | undefined;
  /** ID of the playlist that is scrolled into view. */
  readonly playlist?: string | undefined;
}

export function playlistSearch(search: Record<string, unknown>): PlaylistSearch {
  const { open } = search;
  return { open: open === "new" || open === "player" ? open : undefined, playlist: text(search["playlist"]) };
}
