import { hashKey, useQueryClient, type InfiniteData, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

/** Beyond this many pages a list that changed is not read again by itself: it would cost a call per page. */
export const PAGES_KEPT_FRESH = 4;

/** Pages of an infinite answer; 0 of any other. */
export function pagesIn(data: unknown): number {
  const pages = (data as { readonly pages?: unknown } | undefined)?.pages;
  return Array.isArray(pages) ? pages.length : 0;
}

/** Lets go of the pages of a list behind the first ones; they are read again as they are scrolled to. */
export function trimPages(cache: QueryClient, queryKey: QueryKey, kept: number): void {
  // Old stays old: what is kept was read when it was read.
  const { dataUpdatedAt, isInvalidated } = cache.getQueryState(queryKey) ?? { dataUpdatedAt: 0, isInvalidated: false };
  cache.setQueryData<InfiniteData<unknown>>(
    queryKey,
    (held) => held && { pages: held.pages.slice(0, kept), pageParams: held.pageParams.slice(0, kept) },
    { updatedAt: dataUpdatedAt },
  );
  if (isInvalidated) void cache.invalidateQueries({ queryKey, exact: true, refetchType: "none" });
}

/** A long list that was left would be read again page by page when a person comes back. */
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

/** Whether these answers were marked as old; a query tells its observers only when their time is over as well. */
export function useIsInvalidated(queryKey: QueryKey): boolean {
  const cache = useQueryClient();
  return useSyncExternalStore(
    (listener) => cache.getQueryCache().subscribe(listener),
    () => cache.getQueryState(queryKey)?.isInvalidated ?? false,
  );
}
