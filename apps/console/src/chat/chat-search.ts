import { listSearch, text, type ListSearch } from "../lib/list-search.ts";

/** State of the Chat screen in the URL. */
export interface ChatSearch extends ListSearch {
  /** ID of the open thread. */
  readonly thread?: string | undefined;
  /** For moderators: only threads of this user, with `show` set to "all". */
  readonly user?: string | undefined;
}

export function chatSearch(search: Record<string, unknown>): ChatSearch {
  return { ...listSearch(search), thread: text(search["thread"]), user: text(search["user"]) };
}
