import { text } from "../lib/list-search.ts";

export const DOC_CATEGORIES = ["Core", "Content", "Social", "Commerce", "System", "Realtime"] as const;
export type DocCategory = (typeof DOC_CATEGORIES)[number];

export interface DocsSearch {
  readonly tab?: "websocket" | undefined;
  readonly q?: string | undefined;
  readonly category?: DocCategory | undefined;
}

export function docsSearch(search: Record<string, unknown>): DocsSearch {
  return {
    tab: search["tab"] === "websocket" ? "websocket" : undefined,
    q: text(search["q"]),
    category: DOC_CATEGORIES.find((category) => category === search["category"]),
  };
}
