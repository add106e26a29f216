import { text } from "../lib/list-search.ts";

export const DOC_CATEGORIES = ["Core", "Content", "Social", "Commerce", "System", "Realtime"] as const;
export type DocCategory = (typeof DOC_CATEGORIES)[number];

export interface DocsSearch {
  readonly tab?: "websocket" | undefined;
  readonly q?: string | undefined;
  readonly category?: DocCategory | undefined;
  /** As JSON: for the method that the hash names. */
  readonly body?: string | undefined;
}

export function docsSearch(search: Record<string, unknown>): DocsSearch {
  return {
    tab: search["tab"] === "websocket" ? "websocket" : undefined,
    q: text(search["q"]),
    body: bodyIn(search["body"]),
    category: DOC_CATEGORIES.find((category) => category === search["category"]),
  };
}

/** The parser of addresses makes an object of a body. */
const bodyIn = (body: unknown): string | undefined =>
  typeof body === "object" && body !== null ? JSON.stringify(body, null, 2) : text(body);
