import { Button } from "./button.tsx";

export const PAGE_ROWS = 50;

/** The rows of one page; a page past the end is the last one. */
export function pageOf<Item>(
  items: readonly Item[],
  page: number,
): { readonly rows: readonly Item[]; readonly page: number; readonly pages: number } {
  const pages = Math.max(1, Math.ceil(items.length / PAGE_ROWS));
  const current = Math.min(Math.max(1, page), pages);
  return { rows: items.slice((current - 1) * PAGE_ROWS, current * PAGE_ROWS), page: current, pages };
}

export function Pager({
  page,
  pages,
  onPage,
}: {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}) {
  if (pages <= 1) return null;
  return (
    <nav aria-label="Pages" className="flex shrink-0 items-center justify-end gap-2 text-xs text-muted">
      <span>
        Page {page} of {pages}
      </span>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
