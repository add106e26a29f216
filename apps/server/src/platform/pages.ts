import { invalid } from "./errors.ts";

/** One page asked for; `size` 0 means every row. */
export interface PageRequest {
  readonly size: number;
  /** Sort keys of the last row of the page before; empty for the first page. */
  readonly after: readonly string[];
  readonly query: string;
}

/** Up to one row more than asked for, which tells that another page follows. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** @throws invalid_argument when the token is not one of ours with `keys` sort keys */
export function pageRequest(
  message: { pageSize: number; pageToken: string; query: string },
  keys: number,
): PageRequest {
  return {
    size: message.pageSize,
    after: message.pageToken === "" ? [] : parseToken(message.pageToken, keys),
    query: message.query.trim(),
  };
}

/** The rows to answer with and the token of the page after them. */
export function cutPage<Row>(
  page: Page<Row>,
  size: number,
  sortKeys: (row: Row) => readonly string[],
): { rows: readonly Row[]; totalSize: number; nextPageToken: string } {
  const rows = size === 0 ? page.rows : page.rows.slice(0, size);
  const last = rows.at(-1);
  const hasMore = page.rows.length > rows.length && last !== undefined;
  const nextPageToken = hasMore ? Buffer.from(JSON.stringify(sortKeys(last))).toString("base64url") : "";
  return { rows, totalSize: page.total, nextPageToken };
}

/** Matches `query` anywhere in a text, taken as it is; null for an empty query. */
export function likePattern(query: string): string | null {
  return query === "" ? null : `%${query.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

function parseToken(token: string, keys: number): readonly string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(token, "base64url").toString());
  } catch {
    parsed = undefined; // falls into the refusal below
  }
  const isOurs =
    Array.isArray(parsed) &&
    parsed.length === keys &&
    parsed.every((key): key is string => typeof key === "string" && !key.includes("\0") && key.isWellFormed());
  if (!isOurs) throw invalid("page_token: is not a token of this list");
  return parsed as readonly string[]; // checked just above
}
