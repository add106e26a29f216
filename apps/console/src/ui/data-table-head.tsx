import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ListView } from "../lib/use-list-screen.ts";
import { cx } from "./class-names.ts";
import { SELECT_COLUMN_ID, SelectAllBox } from "./select-boxes.tsx";
import { narrowArea, type TableColumn } from "./table-columns.ts";

/** Column layout of a table, shared by head and body. */
export interface TableLayout<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly narrow: boolean;
  /** grid-template-columns */
  readonly grid: string;
  /** Row height, px. */
  readonly rowHeight: number;
}

export const HEAD_PX = 36;

/** Sticky head of a table; a click on a sortable column head changes the order. */
export function DataTableHead<Row>({
  list,
  layout: { columns, narrow, grid },
}: {
  readonly list: ListView<Row>;
  readonly layout: TableLayout<Row>;
}) {
  return (
    <div role="rowgroup" className="sticky top-0 z-20 bg-raised shadow-[inset_0_-1px_var(--border)]">
      <div
        role="row"
        aria-rowindex={1}
        className="relative grid items-center text-xs font-medium text-muted"
        style={{ gridTemplateColumns: grid, height: HEAD_PX }}
      >
        {columns.map((column, index) => (
          <div
            key={column.id}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={column.sort === undefined ? undefined : directionOf(list.sort, column.sort)}
            style={narrow ? { gridArea: narrowArea(columns, column) } : undefined}
            className={cx(
              "min-w-0 truncate px-3",
              column.align === "end" && "text-right",
              column.id === SELECT_COLUMN_ID && "px-1.5",
              narrow && column.narrow !== "lead" && column.narrow !== "title" && "sr-only",
            )}
          >
            <Head column={column} list={list} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Head<Row>({ column, list }: { readonly column: TableColumn<Row>; readonly list: ListView<Row> }) {
  if (column.id === SELECT_COLUMN_ID) return <SelectAllBox selection={list.selection} />;
  if (column.isHeadHidden) return <span className="sr-only">{column.head}</span>;
  const { sort } = column;
  if (sort === undefined) return column.head;
  const direction = directionOf(list.sort, sort);
  return (
    <button
      type="button"
      onClick={() => list.turnSort(sort)}
      className="inline-flex max-w-full items-center gap-1 rounded-sm hover:text-fg"
    >
      <span className="truncate">{column.head}</span>
      {direction === "ascending" && <ArrowUp aria-hidden size={12} />}
      {direction === "descending" && <ArrowDown aria-hidden size={12} />}
      {direction === "none" && <ChevronsUpDown aria-hidden size={12} className="opacity-50" />}
    </button>
  );
}

function directionOf(sort: string | undefined, order: string): "ascending" | "descending" | "none" {
  if (sort === order) return "ascending";
  return sort === `-${order}` ? "descending" : "none";
}
