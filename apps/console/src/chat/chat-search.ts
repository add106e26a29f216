import { listSearch, text, type ListSearch } from "../lib/list-search.ts";

/** The Chat screen's state in its address. */
export interface ChatSearch extends ListSearch {
  /** The thread that is open. */
  readonly thread?: string | undefined;
  /** For moderators: only threads of this person; `show` is "all" then. */
  readonly user?: string | undefined;
}

export function chatSearch(search: Record<string, unknown>): ChatSearch {
  return { ...listSearch(search), thread: text(search["thread"]), user: text(search["user"]) };
}
