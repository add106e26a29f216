import { useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, skipToken, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { isDenied, isNotFound } from "./errors.ts";
import { PAGES_KEPT_FRESH, pagesIn, trimPages, useIsInvalidated, useTrimmedWhenLeft } from "./list-pages.ts";
import { useChangeSearch } from "./change-search.ts";
import { listSearch, nextSort, orderOf, parseOpen, type ListSearch, type OpenDialog } from "./list-search.ts";
import {
  caller,
  everyPage,
  methodKey,
  pagesKey,
  readPage,
  type ListPage,
  type ListQuestion,
  type ListSource,
} from "./list-source.ts";
import { useListSelection, type ListSelection } from "./list-selection.ts";

/** Polling interval for the row of an open dialog that is on no loaded page, ms. The row gets no change events. */
const ROW_MS = 10_000;

/** State of a list: its rows, or the reason why there are none yet. */
export interface ListView<Row> {
  readonly rows: readonly Row[];
  readonly phase: "loading" | "failed" | "ready";
  /** Error of the last read: nothing could be read, or the displayed rows are stale. */
  readonly error: unknown;
  readonly isRefreshing: boolean;
  /**
   * Why the displayed rows may be stale: the server is unreachable, the read failed, or the list changed; undefined if
   * they are current.
   */
  readonly behind: "offline" | "failed" | "changed" | undefined;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Error of the request for the next page. */
  readonly moreError: unknown;
  readonly loadMore: () => void;
  /** Loads page after page to the end while `isWanted` returns true, up to 10,000 rows. */
  readonly loadToEnd: (isWanted: () => boolean) => Promise<void>;
  readonly retry: () => void;
  /** Number of matching rows; undefined until the server has counted them or all are loaded. */
  readonly total: number | undefined;
  readonly isFiltered: boolean;
  readonly clear: () => void;
  readonly sort: string | undefined;
  readonly turnSort: (order: string) => void;
  readonly id: (row: Row) => string;
  readonly selection: ListSelection<Row>;
}

export interface ListScreen<Row> extends ListView<Row> {
  readonly source: Pick<ListSource<Row>, "name">;
  /** Whether all rows are in memory, so that a search needs no request. */
  readonly isLocal?: boolean;
  readonly search: ListSearch;
  readonly change: (next: ListSearch) => void;
  /** Rows per filter; undefined while unknown. The key "" is the filter of all rows. */
  readonly counts: Readonly<Record<string, number>> | undefined;
  /** Dialog that the address opens, with its row once loaded. */
  readonly dialog: (OpenDialog & { readonly row: Row | undefined }) | undefined;
  /** Whether the row in the address does not exist or is not visible to the user. */
  readonly isRowMissing: boolean;
  readonly open: (what: string, row?: Row) => void;
  readonly close: () => void;
  /** Reads every matching row, loaded or not. */
  readonly everyRow: (signal: AbortSignal) => AsyncGenerator<readonly Row[]>;
}

/**
 * Returns the search parameters of the address and a function that changes them; parameters that are not given stay.
 */
export function useUrlSearch(): readonly [ListSearch, (next: ListSearch) => void] {
  return [listSearch(useSearch({ strict: false })), useChangeSearch()];
}

interface ListOptions<Row> {
  /** Default order per filter; the list's default order if absent. */
  readonly ownOrder?: (filter: string) => string;
  /** Refetch interval of the rows and their counts, ms; not applied after many pages have been loaded. */
  readonly readAgainAfter?: (rows: readonly Row[]) => number | false;
}

/** State of one list of the contract for a screen: pages, counts, order, selection and the open dialog. */
export function useListScreen<Row>(
  source: ListSource<Row>,
  [search, change]: readonly [ListSearch, (next: ListSearch) => void],
  { ownOrder = () => "", readAgainAfter = () => false }: ListOptions<Row> = {},
): ListScreen<Row> {
  const transport = useTransport();
  const filter = search.show ?? "";
  const question: ListQuestion = {
    query: search.q?.trim() ?? "",
    filter,
    orderBy: orderOf(search.sort) || ownOrder(filter),
  };
  const cache = useQueryClient();
  const queryKey = pagesKey(source, question);
  const againAfter = (held: { readonly pages: readonly ListPage<Row>[] } | undefined) =>
    readAgainAfter(held?.pages.flatMap((page) => page.rows) ?? []);
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(source, caller(transport, signal), question, pageParam),
    initialPageParam: "",
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    refetchInterval: ({ state }) => (pagesIn(state.data) > PAGES_KEPT_FRESH ? false : againAfter(state.data)),
  });
  useTrimmedWhenLeft(queryKey);
  const isInvalidated = useIsInvalidated(queryKey);
  const rows = useMemo(
    () => uniqueRows(pages.data?.pages.flatMap((page) => page.rows) ?? [], source.id),
    [pages.data, source],
  );
  const counts = useCounts(source, question.query, againAfter(pages.data));
  const total = counts?.[filter] ?? (pages.data && !pages.hasNextPage ? rows.length : undefined);
  const everyRow = (signal: AbortSignal) => everyPage(source, caller(transport, signal), question);
  const behind = behindOf();
  const hasData = pages.data !== undefined && !isDenied(pages.error);

  return {
    source,
    search,
    change,
    rows,
    counts,
    total,
    everyRow,
    id: source.id,
    phase: hasData ? "ready" : pages.isError ? "failed" : "loading",
    error: pages.error,
    isRefreshing: pages.isFetching && !pages.isFetchingNextPage && pages.data !== undefined,
    behind,
    hasMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    moreError: pages.isFetchNextPageError ? pages.error : undefined,
    loadMore: () => {
      if (pages.hasNextPage && !pages.isFetching) void pages.fetchNextPage({ cancelRefetch: false });
    },
    loadToEnd: async (isWanted) => {
      let now: Pick<typeof pages, "data" | "hasNextPage" | "isError"> = pages;
      while (now.hasNextPage && !now.isError && rowsIn(now.data) < MOST_TO_END && isWanted())
        now = await pages.fetchNextPage({ cancelRefetch: false });
    },
    retry: () => {
      if (behind === "changed") trimPages(cache, queryKey, 1);
      void pages.refetch();
    },
    isFiltered: question.query !== "" || filter !== "",
    clear: () => change({ q: undefined, show: undefined }),
    sort: search.sort,
    turnSort: (order) => change({ sort: nextSort(search.sort, order) }),
    selection: useListSelection(source, rows, total, everyRow, JSON.stringify([source.scope, question])),
    ...useListDialog(source, search, change, rows),
  };

  function behindOf(): ListView<Row>["behind"] {
    if (!pages.data) return undefined;
    if (pages.fetchStatus === "paused") return "offline";
    if (pages.isRefetchError) return "failed";
    const isLong = pages.data.pages.length > PAGES_KEPT_FRESH;
    return isLong && isInvalidated && !pages.isFetching ? "changed" : undefined;
  }
}

/**
 * Maximum number of rows that are loaded to reach the end of a list. In a longer list, reversing the order leads there
 * directly.
 */
const MOST_TO_END = 10_000;

const rowsIn = (held: { readonly pages: readonly ListPage<unknown>[] } | undefined): number =>
  held?.pages.reduce((sum, page) => sum + page.rows.length, 0) ?? 0;

/** Counts rows per filter. If it fails, the tabs only lack their numbers. */
function useCounts(
  { count, scope }: Pick<ListSource<never>, "count" | "scope">,
  query: string,
  readAgainAfter: number | false,
): Readonly<Record<string, number>> | undefined {
  const transport = useTransport();
  const counted = useQuery({
    queryKey: [...(count ? methodKey(count.method) : []), scope ?? "", query],
    queryFn: count
      ? async ({ signal }): Promise<Readonly<Record<string, number>>> =>
          Object.fromEntries(
            (await count.counts(caller(transport, signal), query)).map((each) => [each.filter, each.count]),
          )
      : skipToken,
    placeholderData: keepPreviousData,
    refetchInterval: readAgainAfter,
    retry: false,
  });
  return counted.data;
}

/** Returns the dialog that the address opens, with its row. */
export function useListDialog<Row>(
  { one, id, name }: Pick<ListSource<Row>, "one" | "id" | "name">,
  search: ListSearch,
  change: (next: ListSearch) => void,
  rows: readonly Row[],
): Pick<ListScreen<Row>, "dialog" | "isRowMissing" | "open" | "close"> {
  const transport = useTransport();
  const [opened, setOpened] = useState<Row>();
  const asked = parseOpen(search.open);
  const known =
    asked && (rows.find((row) => id(row) === asked.id) ?? (opened && id(opened) === asked.id ? opened : undefined));
  const read = useQuery({
    queryKey: ["row", name, asked?.id],
    queryFn: one && asked ? async ({ signal }) => (await one(caller(transport, signal), asked.id)) ?? null : skipToken,
    enabled: asked !== undefined && asked.id !== "" && known === undefined,
    refetchInterval: ({ state }) => (isUnreadable(state) ? false : ROW_MS),
  });
  return {
    isRowMissing: asked !== undefined && asked.id !== "" && known === undefined && isUnreadable(read),
    dialog: asked && { ...asked, row: asked.id === "" ? undefined : (known ?? read.data ?? undefined) },
    open: useCallback(
      (what: string, row?: Row) => {
        setOpened(() => row);
        change({ open: row === undefined ? what : `${what}.${id(row)}` });
      },
      [change, id],
    ),
    close: () => change({ open: undefined }),
  };
}

const isUnreadable = ({ data, error }: { readonly data: unknown; readonly error: unknown }): boolean =>
  data === null || (data === undefined && (isNotFound(error) || isDenied(error)));

/** Removes duplicates of a row that moved between two pages while they were read. */
function uniqueRows<Row>(rows: readonly Row[], id: (row: Row) => string): readonly Row[] {
  const byId = new Map(rows.map((row) => [id(row), row]));
  return byId.size === rows.length ? rows : [...byId.values()];
}
