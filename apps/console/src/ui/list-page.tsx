import type { RowData } from "@tanstack/react-table";
import { useEffect, useEffectEvent, type ReactNode } from "react";
import type { CsvColumn } from "../lib/list-csv.ts";
import { useScreenCommands } from "../lib/screen-commands.ts";
import { strings } from "../lib/strings.ts";
import type { ListScreen } from "../lib/use-list-screen.ts";
import { ColumnMenu, useHiddenColumns } from "./column-menu.tsx";
import { csvOfChosen, CsvButton } from "./csv-button.tsx";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { SearchField } from "./fields.tsx";
import { Page } from "./page.tsx";
import { Segments } from "./segments.tsx";
import { SelectionBar, type AnyBulkAction } from "./selection-bar.tsx";
import { showToast } from "./toast.tsx";
import type { TableColumn } from "./table-columns.ts";

/** Texts of one list screen. */
export interface ListPageText {
  readonly title: string;
  readonly search: string;
  /** Description of what is searched. */
  readonly searchHint: string;
  readonly filterLabel: string;
  readonly empty: string;
  readonly loadError: string;
}

/**
 * A whole list screen: title with filters and counts, search, columns, CSV, the table in its six states, and the
 * selection bar. A screen supplies its columns, texts, dialogs and row actions.
 */
export function ListPage<Row extends RowData>({
  list,
  text,
  title = text.title,
  filters,
  columns,
  csv = csvColumns(columns),
  bulk,
  beside,
  tools,
  above,
  instead,
  children,
  ...table
}: {
  readonly list: ListScreen<Row>;
  readonly text: ListPageText;
  readonly title?: string;
  /** Labels of the list's filters by name; "" stands for all rows. */
  readonly filters: Readonly<Record<string, string>>;
  readonly columns: readonly TableColumn<Row>[];
  /** Columns of the CSV file, if they differ from the displayed columns. */
  readonly csv?: readonly CsvColumn<Row>[];
  readonly bulk?: readonly AnyBulkAction<Row>[];
  readonly beside?: ReactNode;
  /** Content after the search: the one primary button. */
  readonly tools?: ReactNode;
  /** Content between title and table. */
  readonly above?: ReactNode;
  /** Replaces the table by another view of the rows. */
  readonly instead?: ReactNode;
  /** Dialogs and other content below the table. */
  readonly children?: ReactNode;
} & Pick<DataTableProps<Row>, "rowHeight" | "onOpen" | "shell" | "whenEmpty">) {
  const { selection, search, change } = list;
  const [hidden, turnColumn] = useHiddenColumns(list.source.name);
  useCloseWithoutRow(list);
  const actions = bulk && bulk.length > 0 ? [...bulk, csvOfChosen(list.source.name, csv)] : [];
  const filterNames = Object.entries(filters);
  const orders = columns.flatMap(({ head, sort }) => (sort === undefined ? [] : { head, sort }));
  useScreenCommands([
    ...(filterNames.length > 1 ? filterNames : []).map(([show, name]) => ({
      text: `${text.filterLabel}: ${name}`,
      perform: () => change({ show: show || undefined }),
    })),
    ...orders.map(({ head, sort }) => ({ text: strings.lists.sortBy(head), perform: () => change({ sort }) })),
    ...(list.isFiltered ? [{ text: strings.clearFilters, perform: list.clear }] : []),
  ]);
  return (
    <Page
      title={title}
      instead={
        !instead &&
        actions.length > 0 &&
        selection.count > 0 && <SelectionBar selection={selection} actions={actions} />
      }
      beside={
        <>
          {Object.keys(filters).length > 1 && (
            <Segments
              label={text.filterLabel}
              value={search.show ?? ""}
              onChange={(show) => change({ show: show || undefined })}
              segments={Object.entries(filters).map(([value, label]) => ({
                value,
                label,
                count: list.counts?.[value],
              }))}
            />
          )}
          {beside}
        </>
      }
      tools={
        <>
          <SearchField
            label={text.search}
            hint={text.searchHint}
            value={search.q ?? ""}
            {...(list.isLocal && { waitMs: 0 })}
            onSearch={(q) => change({ q: q || undefined })}
          />
          {!instead && <ColumnMenu columns={columns} hidden={hidden} onTurn={turnColumn} />}
          <CsvButton name={list.source.name} columns={csv} total={list.total} everyRow={list.everyRow} />
          {tools}
        </>
      }
    >
      {above}
      {instead ?? (
        <DataTable
          {...table}
          label={text.title}
          list={list}
          columns={columns}
          hidden={hidden}
          text={text}
          isSelectable={actions.length > 0}
        />
      )}
      {children}
    </Page>
  );
}

/** Closes a dialog whose row does not exist, such as one of an old link, and reports it. */
function useCloseWithoutRow({ isRowMissing, close }: Pick<ListScreen<never>, "isRowMissing" | "close">): void {
  const report = useEffectEvent(() => {
    showToast(strings.lists.rowMissing, { bad: true });
    close();
  });
  useEffect(() => {
    if (isRowMissing) report();
  }, [isRowMissing]);
}

function csvColumns<Row>(columns: readonly TableColumn<Row>[]) {
  return columns.flatMap(({ head, csv }) => (csv ? [{ head, csv }] : []));
}
