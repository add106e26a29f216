import { useMemo } from "react";
import type { ListSearch } from "./list-search.ts";
import { nextSort } from "./list-search.ts";
import { useListSelection } from "./list-selection.ts";
import { useListDialog, type ListScreen } from "./use-list-screen.ts";

/** A list whose rows are all in memory, so that it is filtered, ordered and searched offline. */
export interface LocalSource<Row> {
  /** Names the list in stored settings and in its CSV file. */
  readonly name: string;
  readonly id: (row: Row) => string;
  /** Text in which the words of a search are found; case and accents make no difference. */
  readonly searched: (row: Row) => string;
  /** Filters by name; "" is all rows. */
  readonly filters: Readonly<Record<string, (row: Row) => boolean>>;
  readonly orders: Readonly<Record<string, (a: Row, b: Row) => number>>;
}

/** State of the rows: undefined until the first load. */
export interface LocalRows<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** State of a list in memory for a screen. Rows keep their given order unless the user chooses another. */
export function useLocalList<Row>(
  source: LocalSource<Row>,
  { rows: all, error, retry }: LocalRows<Row>,
  [search, change]: readonly [ListSearch, (next: ListSearch) => void],
): ListScreen<Row> {
  const filter = search.show ?? "";
  const query = search.q?.trim() ?? "";
  const texts = useMemo(() => (all ?? []).map((row) => fold(source.searched(row))), [all, source]);
  const found = useMemo(() => {
    const words = fold(query).split(/\s+/);
    return (all ?? []).filter((_, index) => words.every((word) => texts[index]!.includes(word)));
  }, [all, texts, query]);
  const rows = useMemo(() => {
    const shown = found.filter(source.filters[filter] ?? (() => true));
    const order = source.orders[search.sort?.replace(/^-/, "") ?? ""];
    if (!order) return shown;
    return shown.toSorted(search.sort?.startsWith("-") ? (a, b) => order(b, a) : order);
  }, [found, source, filter, search.sort]);
  const counts = useMemo(
    () => Object.fromEntries(Object.entries(source.filters).map(([name, has]) => [name, found.filter(has).length])),
    [found, source],
  );
  const everyRow = async function* () {
    yield rows;
  };
  return {
    source,
    search,
    change,
    rows,
    counts: all && counts,
    total: all && rows.length,
    everyRow,
    id: source.id,
    phase: all ? "ready" : error ? "failed" : "loading",
    error,
    isRefreshing: false,
    isLocal: true,
    behind: undefined,
    hasMore: false,
    isLoadingMore: false,
    moreError: undefined,
    loadMore: () => undefined,
    loadToEnd: () => Promise.resolve(),
    retry,
    isFiltered: query !== "" || filter !== "",
    clear: () => change({ q: undefined, show: undefined }),
    sort: search.sort,
    turnSort: (order) => change({ sort: nextSort(search.sort, order) }),
    selection: useListSelection(source, rows, rows.length, everyRow, JSON.stringify([query, filter])),
    ...useListDialog(source, search, change, all ?? []),
  };
}

const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .toLowerCase();
