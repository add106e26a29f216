/** What every list keeps in the address: search text, filter, order, and the dialog that is open over it. */
export interface ListSearch {
  readonly q?: string | undefined;
  readonly show?: string | undefined;
  /** Name of an order; "-name" turns it round. */
  readonly sort?: string | undefined;
  /** "new", or "verb.id" of the row the dialog is about. */
  readonly open?: string | undefined;
}

export function listSearch(search: Record<string, unknown>): ListSearch {
  return { q: text(search["q"]), show: text(search["show"]), sort: text(search["sort"]), open: text(search["open"]) };
}

/** A search parameter as text; numbers are what the address parser makes of "?q=7". */
export function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An open dialog as the address names it. */
export interface OpenDialog {
  readonly what: string;
  readonly id: string;
}

export function parseOpen(open: string | undefined): OpenDialog | undefined {
  if (open === undefined) return undefined;
  const dot = open.indexOf(".");
  return dot < 0 ? { what: open, id: "" } : { what: open.slice(0, dot), id: open.slice(dot + 1) };
}

/** "-name" → "name desc", as a ListQuery says it. */
export const orderOf = (sort: string | undefined): string =>
  sort === undefined ? "" : sort.startsWith("-") ? `${sort.slice(1)} desc` : sort;

/** The order after a click on a head: up, down, then the list's own. */
export function nextSort(sort: string | undefined, name: string): string | undefined {
  if (sort === name) return `-${name}`;
  return sort === `-${name}` ? undefined : name;
}
