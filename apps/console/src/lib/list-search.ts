/** Parameters that every list stores in the address: search text, filter, order, and the open dialog. */
export interface ListSearch {
  readonly q?: string | undefined;
  readonly show?: string | undefined;
  /** Name of an order; "-name" reverses it. */
  readonly sort?: string | undefined;
  /** "new", or "verb.id" with the ID of the row in the dialog. */
  readonly open?: string | undefined;
}

export function listSearch(search: Record<string, unknown>): ListSearch {
  return { q: text(search["q"]), show: text(search["show"]), sort: text(search["sort"]), open: text(search["open"]) };
}

/** Returns a search parameter as text. The address parser turns "?q=7" into a number. */
export function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An open dialog, as parsed from the address. */
export interface OpenDialog {
  readonly what: string;
  readonly id: string;
}

export function parseOpen(open: string | undefined): OpenDialog | undefined {
  if (open === undefined) return undefined;
  const dot = open.indexOf(".");
  return dot < 0 ? { what: open, id: "" } : { what: open.slice(0, dot), id: open.slice(dot + 1) };
}

/** Converts "-name" to "name desc", the format of a ListQuery. */
export const orderOf = (sort: string | undefined): string =>
  sort === undefined ? "" : sort.startsWith("-") ? `${sort.slice(1)} desc` : sort;

/** Returns the order after a click on a column head: ascending, descending, then the default order. */
export function nextSort(sort: string | undefined, name: string): string | undefined {
  if (sort === name) return `-${name}`;
  return sort === `-${name}` ? undefined : name;
}
