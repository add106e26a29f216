import type { DescMethodUnary } from "@bufbuild/protobuf";
import { useTransport } from "@connectrpc/connect-query";
import { useQueryClient, type Query, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { useCallback, useLayoutEffect, useRef } from "react";
import { PAGES_KEPT_FRESH, pagesIn } from "./list-pages.ts";
import { caller, methodKey, type Call, type ListSource } from "./list-source.ts";

/** Minimum interval between automatic refetches of a list, ms. */
const BETWEEN_MS = 1000;

interface Refresh {
  last: number;
  waiting: boolean;
}

const refreshes = new WeakMap<QueryClient, Map<string, Refresh>>();

/**
 * Marks the answers of a method stale and refetches those on the screen: immediately, or at the end of the interval.
 */
export function refreshSoon(cache: QueryClient, method: DescMethodUnary): void {
  const queryKey = methodKey(method);
  void cache.invalidateQueries({ queryKey, refetchType: "none" });
  const refresh = refreshOf(cache, `${method.parent.typeName}/${method.name}`);
  if (refresh.waiting) return;
  const wait = Math.max(0, refresh.last + BETWEEN_MS - Date.now());
  if (wait === 0) return readAgain(cache, queryKey, refresh);
  refresh.waiting = true;
  setTimeout(() => readAgain(cache, queryKey, refresh), wait);
}

/** Returns a function for calls that change rows of these lists; the lists are refetched afterwards. */
export function useChange(...lists: readonly Pick<ListSource<never>, "method" | "count">[]): Call {
  const transport = useTransport();
  const cache = useQueryClient();
  const touched = useRef(lists);
  useLayoutEffect(() => {
    touched.current = lists;
  });
  // A stable function, so that rows that call it do not render again.
  return useCallback(
    async (method, input) => {
      try {
        return await caller(transport)(method, input);
      } finally {
        for (const list of touched.current) refreshList(cache, list);
      }
    },
    [transport, cache],
  );
}

export function refreshList(cache: QueryClient, { method, count }: Pick<ListSource<never>, "method" | "count">): void {
  refreshSoon(cache, method);
  if (count) refreshSoon(cache, count.method);
}

function readAgain(cache: QueryClient, queryKey: QueryKey, refresh: Refresh): void {
  refresh.last = Date.now();
  refresh.waiting = false;
  const shown = {
    queryKey,
    type: "active",
    predicate: ({ state }: Query) => pagesIn(state.data) <= PAGES_KEPT_FRESH,
  } as const;
  // A first answer in transit may be older than the change, and the library does not replace its request.
  const first = cache.getQueryCache().findAll({ ...shown, fetchStatus: "fetching" });
  for (const query of first.filter(({ state }) => state.data === undefined)) {
    query.promise?.then(
      () => cache.refetchQueries({ queryKey: query.queryKey, exact: true, type: "active" }),
      () => undefined, // The screen reports the failure and retries.
    );
  }
  void cache.refetchQueries(shown);
}

function refreshOf(cache: QueryClient, name: string): Refresh {
  let byName = refreshes.get(cache);
  if (!byName) refreshes.set(cache, (byName = new Map()));
  let refresh = byName.get(name);
  if (!refresh) byName.set(name, (refresh = { last: 0, waiting: false }));
  return refresh;
}
