import { text } from "../lib/list-search.ts";

export interface RehearsalSearch {
  /** Id of the event that is rehearsed; without it the one that is on, or comes next. */
  readonly event?: string | undefined;
}

export const rehearsalSearch = (search: Record<string, unknown>): RehearsalSearch => ({ event: text(search["event"]) });
