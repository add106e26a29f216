import { pageNumber, text } from "../lib/list-search.ts";

export const SONG_FILTERS = ["ready", "processing", "error"] as const;
export type SongFilter = (typeof SONG_FILTERS)[number];

/** The Music screen's state in its address. */
export interface MusicSearch {
  readonly status?: SongFilter | undefined;
  readonly q?: string | undefined;
  readonly page?: number | undefined;
  /** The modal to add a song is open. */
  readonly add?: true | undefined;
}

export function musicSearch(search: Record<string, unknown>): MusicSearch {
  return {
    status: SONG_FILTERS.find((filter) => filter === search["status"]),
    q: text(search["q"]),
    page: pageNumber(search["page"]),
    add: search["add"] === true ? true : undefined,
  };
}
