import { useTable, type RowData } from "@tanstack/react-table";
import { useMemo, useRef, useState, type ReactNode } from "react";
import { density, rowHeightAt, type RowHeight } from "../lib/density.ts";
import { useStore } from "../lib/store.ts";
import { strings } from "../lib/strings.ts";
import type { ListView } from "../lib/use-list-screen.ts";
import { DataTableBody, mostHeight, type RowShell } from "./data-table-body.tsx";
import { DataTableHead, HEAD_PX } from "./data-table-head.tsx";
import { ListNotice, MoreRow } from "./list-notices.tsx";
import { RefreshBar } from "./progress.tsx";
import { SELECT_COLUMN_ID, SELECT_COLUMN_PX, SelectRowBox } from "./select-boxes.tsx";
import { EmptyState, ErrorState, Loading, NoMatch } from "./states.tsx";
import {
  columnDefs,
  columnsAt,
  features,
  gridOf,
  hasSecondLine,
  isNarrow,
  leastWidth,
  type TableColumn,
} from "./table-columns.ts";
import { useSize } from "./use-size.ts";

/** Height of the second line of a row in a narrow table, px. */
const SECOND_LINE_PX = 40;
/** Minimum height of a table that shares the page, if it has enough rows, px. */
const LEAST_PX = 160;
/** Distance from the end at which the next page is requested, rows. */
const ROWS_AHEAD = 15;
/**
 * Distance at which the next page is requested after the first scroll, rows: a whole page more, so that a long turn of
 * the wheel ends on loaded rows.
 */
const ROWS_AHEAD_SCROLLED = 65;

export interface DataTableProps<Row extends RowData> {
  readonly label: string;
  readonly list: ListView<Row>;
  readonly columns: readonly TableColumn<Row>[];
  /** IDs of hidden optional columns. */
  readonly hidden?: ReadonlySet<string> | undefined;
  /** Row height at comfortable density, px; compact rows are 8 px lower. */
  readonly rowHeight: RowHeight;
  readonly text: { readonly empty: string; readonly loadError: string };
  readonly isSelectable?: boolean;
  /** Called on Enter on a row. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** Content if the list has no rows at all. */
  readonly whenEmpty?: ReactNode;
  /** Wrapper component for each row, such as for draggable rows. */
  readonly shell?: RowShell<Row>;
}

/**
 * The table component of the console. It scrolls under a sticky head, keeps at most 60 rows in the DOM and explains
 * each of its six states. The list determines rows and order.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { list, text } = props;
  if (list.phase === "failed") return <ErrorState prefix={text.loadError} error={list.error} onRetry={list.retry} />;
  if (list.phase === "loading") return <Loading />;
  if (list.rows.length === 0)
    return (
      <>
        <ListNotice list={list} />
        {list.isFiltered ? (
          <NoMatch onClear={list.clear} />
        ) : (
          <EmptyState text={text.empty}>{props.whenEmpty}</EmptyState>
        )}
      </>
    );
  return <FilledTable {...props} />;
}

function FilledTable<Row extends RowData>({
  label,
  list,
  columns: given,
  hidden,
  rowHeight: comfortable,
  isSelectable = false,
  onOpen,
  shell,
}: DataTableProps<Row>) {
  const rowHeight = rowHeightAt(useStore(density), comfortable);
  const scroller = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(scroller);
  const table = useTable({
    features,
    columns: useMemo(() => columnDefs(given), [given]),
    data: list.rows,
    getRowId: list.id,
    state: useMemo(
      () => ({ columnVisibility: Object.fromEntries([...(hidden ?? [])].map((id) => [id, false])) }),
      [hidden],
    ),
  });
  const visible = table.getVisibleLeafColumns();
  const { has, toggle } = list.selection;
  // Memoized because a new layout object renders every row.
  const layout = useMemo(() => {
    const narrow = isNarrow(width);
    const shown = given.filter((column) => visible.some(({ id }) => id === column.id));
    const columns = columnsAt(isSelectable ? [selectColumn(list.id, has, toggle), ...shown] : shown, width);
    return {
      columns,
      narrow,
      grid: gridOf(columns, narrow),
      rowHeight: narrow && hasSecondLine(columns) ? rowHeight + SECOND_LINE_PX : rowHeight,
    };
  }, [given, visible, list.id, has, toggle, isSelectable, rowHeight, width]);
  const [isAtEnd, setIsAtEnd] = useState(false);
  const readAhead = (lastRow: number, isScrolled: boolean) => {
    const ahead = isScrolled ? ROWS_AHEAD_SCROLLED : ROWS_AHEAD;
    const canLoad = list.hasMore && !list.isLoadingMore && list.moreError === undefined;
    if (canLoad && lastRow >= list.rows.length - ahead) list.loadMore();
    setIsAtEnd(lastRow >= list.rows.length - 1);
  };
  return (
    <div
      className="relative flex flex-col overflow-hidden rounded-lg border bg-surface"
      style={{ minHeight: Math.min(LEAST_PX, HEAD_PX + list.rows.length * layout.rowHeight) }}
    >
      <div className="absolute inset-x-0 top-0 z-30">
        <RefreshBar active={list.isRefreshing} />
      </div>
      <ListNotice list={list} />
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={list.hasMore ? (list.total === undefined ? -1 : list.total + 1) : list.rows.length + 1}
        aria-colcount={layout.columns.length}
        aria-multiselectable={isSelectable || undefined}
        aria-busy={list.isRefreshing}
        // Request pages before the rows that scroll into view are rendered, so that loading starts early.
        onScroll={({ currentTarget: { scrollTop, clientHeight } }) =>
          readAhead(Math.floor((scrollTop + clientHeight - HEAD_PX) / layout.rowHeight), scrollTop > 0)
        }
        className="min-h-0 overflow-auto [overflow-anchor:none]"
        style={{ maxHeight: mostHeight(layout.rowHeight) }}
      >
        <div role="presentation" style={layout.narrow ? undefined : { minWidth: leastWidth(layout.columns) }}>
          <DataTableHead list={list} layout={layout} />
          <DataTableBody
            list={list}
            rows={table.getRowModel().rows}
            layout={layout}
            scroller={scroller}
            height={height}
            isSelectable={isSelectable}
            onReach={readAhead}
            onOpen={onOpen}
            shell={shell}
          />
        </div>
      </div>
      {list.moreError !== undefined && <MoreRow list={list} />}
      {list.moreError === undefined && isAtEnd && (
        // Overlays the rows and appears only after a delay, because it must not move them.
        <div className="absolute inset-x-0 bottom-0 animate-appear bg-surface">
          <MoreRow list={list} />
        </div>
      )}
    </div>
  );
}

function selectColumn<Row>(
  id: (row: Row) => string,
  has: (row: Row) => boolean,
  toggle: (row: Row) => void,
): TableColumn<Row> {
  return {
    id: SELECT_COLUMN_ID,
    head: strings.select,
    width: SELECT_COLUMN_PX,
    narrow: "lead",
    cell: (row) => <SelectRowBox id={id(row)} isChosen={has(row)} onToggle={() => toggle(row)} />,
  };
}
