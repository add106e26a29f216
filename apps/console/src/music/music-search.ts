import { listSearch, type ListSearch } from "../lib/list-search.ts";

export type SongFilter = "ready" | "processing" | "downloading" | "error";

/** The Music screen's state in its address. */
export interface MusicSearch extends ListSearch {
  /** The modal to add a song is open; the same as `open: "new"`. */
  readonly add?: true | undefined;
}

export function musicSearch(search: Record<string, unknown>): MusicSearch {
  return { ...listSearch(search), add: search["add"] === true ? true : undefined };
}
