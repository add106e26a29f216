import { listSearch, type ListSearch } from "../lib/list-search.ts";

export type SongFilter = "ready" | "processing" | "downloading" | "error";

/** State of the Music screen in its address. */
export interface MusicSearch extends ListSearch {
  /** Whether the dialog to add a song is open; the same as `open: "new"`. */
  readonly add?: true | undefined;
}

export function musicSearch(search: Record<string, unknown>): MusicSearch {
  return { ...listSearch(search), add: search["add"] === true ? true : undefined };
}
