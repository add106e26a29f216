/** What every list keeps in the address: search text, filter, page. */
export interface ListSearch {
  readonly q?: string | undefined;
  readonly show?: string | undefined;
  readonly page?: number | undefined;
}

export function listSearch(search: Record<string, unknown>): ListSearch {
  return { q: text(search["q"]), show: text(search["show"]), page: pageNumber(search["page"]) };
}

/** A search parameter as text; numbers are what the address parser makes of "?q=7". */
export function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function pageNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 1 ? value : undefined;
}
