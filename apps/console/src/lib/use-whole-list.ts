import { useTransport } from "@connectrpc/connect-query";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { caller, pagesKey, readPage, type ListQuestion, type ListSource } from "./list-source.ts";

const ALL: ListQuestion = { query: "", filter: "", orderBy: "" };
const NONE: readonly never[] = [];

/** Loads every row of a list in its order, page by page, for selects and orders that need all rows. */
export function useWholeList<Row>(source: ListSource<Row>): {
  readonly rows: readonly Row[];
  readonly isWhole: boolean;
} {
  const transport = useTransport();
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: pagesKey(source, ALL),
    queryFn: ({ pageParam, signal }) => readPage(source, caller(transport, signal), ALL, pageParam),
    initialPageParam: "",
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    structuralSharing: false,
  });
  const goesOn = hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return { rows: data?.pages.flatMap((page) => page.rows) ?? NONE, isWhole: data !== undefined && !hasNextPage };
}
