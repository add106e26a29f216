import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import {
  memo,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ComponentType,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { useOfKey } from "../lib/key-table.ts";
import type { ListView } from "../lib/use-list-screen.ts";
import { cx } from "./class-names.ts";
import { TABLE_KEYS } from "./data-table.keys.ts";
import { HEAD_PX, type TableLayout } from "./data-table-head.tsx";
import { SELECT_COLUMN_ID } from "./select-boxes.tsx";
import { narrowArea } from "./table-columns.ts";

/** Maximum number of rows in the DOM, including those above and below the visible ones and the focused one. */
const MOST_ROWS = 60;
/**
 * Maximum number of visible rows. On a taller screen the table scrolls, because more rows would exceed {@link
 * MOST_ROWS}.
 */
const MOST_VISIBLE = 54;
const MOST_OVERSCAN = 3;
/** Attributes and content of a row, for its wrapper component. */
export type RowShellProps<Row> = HTMLAttributes<HTMLDivElement> & { readonly row: Row };
export type RowShell<Row> = ComponentType<RowShellProps<Row>>;

/**
 * Renders the rows near the visible range. Arrow, Home, End and Page keys move the focus, Space selects, Enter opens.
 */
export function DataTableBody<Row>({
  list,
  rows,
  layout,
  scroller,
  height,
  isSelectable,
  onReach,
  onOpen,
  shell = PlainRow,
}: {
  readonly list: ListView<Row>;
  readonly rows: readonly { readonly id: string; readonly original: Row }[];
  readonly layout: TableLayout<Row>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Height of the scroll container, px. */
  readonly height: number;
  readonly isSelectable: boolean;
  /** Called with the last visible row and whether the first row has scrolled out of view. */
  readonly onReach: (row: number, isScrolled: boolean) => void;
  readonly onOpen: ((row: Row) => void) | undefined;
  readonly shell?: RowShell<Row> | undefined;
}) {
  const { rowHeight } = layout;
  const [active, setActive] = useState(0);
  const current = Math.min(active, rows.length - 1);
  const visible = Math.min(MOST_VISIBLE, Math.ceil(height / rowHeight) + 1);
  // oxlint-disable-next-line react/incompatible-library -- nothing memoises its functions: there is no React Compiler
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: Math.max(0, Math.min(MOST_OVERSCAN, Math.floor((MOST_ROWS - 2 - visible) / 2))),
    scrollPaddingStart: HEAD_PX,
    initialRect: { width: 0, height: rowHeight * 10 },
    // Keep the focused row in the DOM, so that the focus is not lost.
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range).slice(0, MOST_ROWS - 1);
      return [...new Set([...near, current])].sort((a, b) => a - b);
    },
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const items = virtualizer.getVirtualItems();
  const last = virtualizer.range?.endIndex ?? 0;
  const isScrolled = (virtualizer.scrollOffset ?? 0) > 0;
  useEffect(() => onReach(last, isScrolled));
  const focusRow = useRowFocus(scroller, virtualizer);
  const isAt = (row: number) => row === current && scroller.current?.contains(document.activeElement) === true;
  const focused = useRef<string>(undefined);
  const focusAfterRemoval = useEffectEvent(() => {
    if (focused.current === undefined || document.activeElement !== document.body) return;
    // The row was removed, or only its button: a deleted user stays in the list, with other buttons.
    const at = rows.findIndex(({ id }) => id === focused.current);
    focused.current = undefined;
    if (rows.length > 0) focusRow(at < 0 ? current : at);
  });
  useEffect(() => focusAfterRemoval(), [rows]);
  const readToEnd = useWayToEnd(list, isAt, (row) => {
    setActive(row);
    focusRow(row);
  });

  const press = (key: KeyboardEvent<HTMLDivElement>) => {
    const index = indexOf(key.target);
    // Keys on buttons within the row are handled by the buttons.
    const use = useOfKey(TABLE_KEYS, key);
    if (index === undefined || use === undefined) return;
    readToEnd(use === "last" ? rows.length - 1 : undefined);
    const next = nextIndex(use, index, rows.length, Math.max(1, visible - 2));
    const row = rows[index]?.original;
    if (next !== undefined) {
      setActive(next);
      focusRow(next);
    } else if (use === "select" && isSelectable && row !== undefined) list.selection.toggle(row);
    else if (use === "open" && onOpen && row !== undefined) onOpen(row);
    else return;
    key.preventDefault();
  };

  return (
    <div
      role="rowgroup"
      className="relative overflow-clip"
      style={{ height: virtualizer.getTotalSize() }}
      onFocus={({ target }) => {
        const index = indexOf(target.closest("[data-row]"));
        if (index === undefined) return;
        setActive(index);
        focused.current = rows[index]?.id;
      }}
      onBlur={({ relatedTarget }) => {
        // A click elsewhere takes the focus off the table. If a row is removed, React fires no blur event.
        if (relatedTarget === null) focused.current = undefined;
      }}
      onKeyDown={press}
    >
      {items.map(({ index, start }) => {
        const entry = rows[index];
        return (
          entry && (
            <BodyRow
              key={entry.id}
              row={entry.original}
              index={index}
              top={start}
              isCurrent={index === current}
              isChosen={isSelectable ? list.selection.has(entry.original) : undefined}
              layout={layout}
              shell={shell}
            />
          )
        );
      })}
    </div>
  );
}

interface BodyRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  /** Offset from the first row, px. */
  readonly top: number;
  /** Whether the row has the focus or would get it by Tab. */
  readonly isCurrent: boolean;
  /** Whether the row is selected; undefined if rows cannot be selected. */
  readonly isChosen: boolean | undefined;
  readonly layout: TableLayout<Row>;
  readonly shell: RowShell<Row>;
}

/** One row. Memoized: a scroll or a notice above the table renders only rows that are new or changed. */
const BodyRow = memo(function BodyRow<Row>({
  row,
  index,
  top,
  isCurrent,
  isChosen,
  layout: { columns, narrow, grid, rowHeight },
  shell: Shell,
}: BodyRowProps<Row>) {
  return (
    <Shell
      row={row}
      role="row"
      data-row={index}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      tabIndex={isCurrent ? 0 : -1}
      className={cx(
        "absolute inset-x-0 grid items-center border-b -outline-offset-2 hover:bg-raised/50",
        narrow && "content-center gap-y-1",
        isChosen && "bg-accent/10",
      )}
      style={{ top, height: rowHeight, gridTemplateColumns: grid }}
    >
      {columns.map((column, at) => (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={at + 1}
          style={narrow ? { gridArea: narrowArea(columns, column) } : undefined}
          className={cx(
            "min-w-0 px-3",
            column.align === "end" && !narrow && "text-right",
            column.id === SELECT_COLUMN_ID && "px-1.5",
          )}
        >
          {column.cell(row, narrow)}
        </div>
      ))}
    </Shell>
  );
}) as <Row>(props: BodyRowProps<Row>) => ReactNode;

/** Returns the index of the row of an element; undefined if it is not a row. */
function indexOf(element: EventTarget | null): number | undefined {
  const index = element instanceof HTMLElement ? element.dataset["row"] : undefined;
  return index === undefined ? undefined : Number(index);
}

/** Returns the height of a table that shows the maximum number of rows, px. */
export const mostHeight = (rowHeight: number): number => HEAD_PX + MOST_VISIBLE * rowHeight;

function PlainRow<Row>({ row: _row, ...rest }: RowShellProps<Row>) {
  return <div {...rest} />;
}

/** Focuses a row as soon as it is in the DOM. */
function useRowFocus(
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
): (index: number) => void {
  const wanted = useRef<number>(undefined);
  const focusWanted = () => {
    if (wanted.current === undefined) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  };
  useEffect(focusWanted);
  return (index) => {
    wanted.current = index;
    virtualizer.scrollToIndex(index);
    // A row that is in the DOM and in view causes no render.
    focusWanted();
  };
}

/** Loads all rows and moves the focus to the last one, unless the user moves elsewhere first. */
function useWayToEnd<Row>(
  { rows, hasMore, loadToEnd }: ListView<Row>,
  isAt: (row: number) => boolean,
  goTo: (row: number) => void,
): (from: number | undefined) => void {
  /** Row with the focus while the rest is loading; undefined once the user moves elsewhere by keyboard. */
  const waits = useRef<number>(undefined);
  const arrive = useEffectEvent(() => {
    const from = waits.current;
    waits.current = undefined;
    if (from !== undefined && isAt(from)) goTo(rows.length - 1);
  });
  useEffect(() => {
    if (!hasMore) arrive();
  }, [hasMore, rows.length]);
  return (from) => {
    waits.current = hasMore ? from : undefined;
    if (waits.current !== undefined) void loadToEnd(() => waits.current !== undefined);
  };
}

function nextIndex(use: keyof typeof TABLE_KEYS, index: number, rows: number, page: number): number | undefined {
  const moves: Partial<Readonly<Record<typeof use, number>>> = {
    down: index + 1,
    up: index - 1,
    pageDown: index + page,
    pageUp: index - page,
    first: 0,
    last: rows - 1,
  };
  const next = moves[use];
  return next === undefined ? undefined : Math.min(rows - 1, Math.max(0, next));
}
