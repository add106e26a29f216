import { listSearch, type ListSearch } from "../lib/list-search.ts";

/** The Talks screen's state in its address. */
export interface TalkSearch extends ListSearch {
  /** Left out: the list. */
  readonly view?: "schedule" | undefined;
}

export function talkSearch(search: Record<string, unknown>): TalkSearch {
  return { ...listSearch(search), view: search["view"] === "schedule" ? "schedule" : undefined };
}
