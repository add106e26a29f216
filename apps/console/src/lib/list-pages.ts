import { hashKey, useQueryClient, type InfiniteData, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

/** A changed list with more loaded pages is not refetched automatically: each page costs a call. */
export const PAGES_KEPT_FRESH = 4;

/** Returns the number of pages in an infinite query's data; 0 for other data. */
export function pagesIn(data: unknown): number {
  const pages = (data as { readonly pages?: unknown } | undefined)?.pages;
  return Array.isArray(pages) ? pages.length : 0;
}

/** Drops the cached pages of a list after the first ones. They are read again when the user scrolls to them. */
export function trimPages(cache: QueryClient, queryKey: QueryKey, kept: number): void {
  // Preserve staleness: the retained pages were read at the earlier time.
  const { dataUpdatedAt, isInvalidated } = cache.getQueryState(queryKey) ?? { dataUpdatedAt: 0, isInvalidated: false };
  cache.setQueryData<InfiniteData<unknown>>(
    queryKey,
    (held) => held && { pages: held.pages.slice(0, kept), pageParams: held.pageParams.slice(0, kept) },
    { updatedAt: dataUpdatedAt },
  );
  if (isInvalidated) void cache.invalidateQueries({ queryKey, exact: true, refetchType: "none" });
}

/**
 * Drops all but the first pages when a list unmounts. Otherwise a long list would be refetched page by page when the
 * user returns.
 */
export function useTrimmedWhenLeft(queryKey: QueryKey): void {
  const cache = useQueryClient();
  const trim = useEffectEvent((left: QueryKey) => {
    if (pagesIn(cache.getQueryData(left)) > PAGES_KEPT_FRESH) trimPages(cache, left, 1);
  });
  const hash = hashKey(queryKey);
  useEffect(() => {
    const shown = JSON.parse(hash) as QueryKey;
    return () => trim(shown);
  }, [hash]);
}

/**
 * Whether these answers were marked stale. The query notifies its observers only when their stale time has also passed.
 */
export function useIsInvalidated(queryKey: QueryKey): boolean {
  const cache = useQueryClient();
  return useSyncExternalStore(
    (listener) => cache.getQueryCache().subscribe(listener),
    () => cache.getQueryState(queryKey)?.isInvalidated ?? false,
  );
}
