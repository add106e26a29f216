import type { ReactNode } from "react";
import { strings } from "../lib/strings.ts";
import type { ListView } from "../lib/use-list-screen.ts";
import { Button } from "./button.tsx";
import { ListNotice, MoreRow } from "./list-notices.tsx";
import { EmptyState, ErrorState, Loading } from "./states.tsx";

/** A list without a table, for narrow places: newest rows first, older ones on request. */
export function Feed<Row>({
  list,
  label,
  text,
  children,
}: {
  readonly list: ListView<Row>;
  /** Accessible name of the list. */
  readonly label: string;
  readonly text: { readonly empty: string; readonly loadError: string };
  readonly children: (row: Row) => ReactNode;
}) {
  if (list.phase === "loading") return <Loading rows={4} />;
  if (list.phase === "failed") return <ErrorState prefix={text.loadError} error={list.error} onRetry={list.retry} />;
  if (list.rows.length === 0) return <EmptyState text={text.empty} />;
  return (
    <>
      <ListNotice list={list} />
      <ul aria-label={label} className="divide-y divide-border">
        {list.rows.map((row) => (
          <li key={list.id(row)} className="px-4 py-3">
            {children(row)}
          </li>
        ))}
      </ul>
      <MoreRow list={list} />
      {list.hasMore && !list.isLoadingMore && list.moreError === undefined && (
        <div className="flex justify-center border-t p-3">
          <Button onClick={list.loadMore}>{strings.lists.older}</Button>
        </div>
      )}
    </>
  );
}
