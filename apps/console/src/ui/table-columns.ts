import { columnVisibilityFeature, tableFeatures, type ColumnDef, type RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";

/**
 * Position of a cell when the table is too narrow for columns: rows have two lines, or one if the actions fit beside
 * the title.
 */
export type NarrowPlace = "lead" | "title" | "line" | "actions" | "beside";

/** One column of a {@link DataTable}. */
export interface TableColumn<Row> {
  readonly id: string;
  readonly head: string;
  /** Whether the column head is visible to screen readers only. */
  readonly isHeadHidden?: boolean;
  /** Width in px, or a minimum in px with a share of the remaining width. */
  readonly width: number | { readonly min: number; readonly share: number };
  /** "end" right-aligns numbers. */
  readonly align?: "end";
  /** Name of the order that a click on the column head sets. */
  readonly sort?: string;
  /** Whether users may hide the column. */
  readonly isOptional?: boolean;
  /** Table width below which the column is omitted, px. */
  readonly hideBelow?: number;
  /** Position in a narrow table; without one the column is omitted there. */
  readonly narrow?: NarrowPlace;
  readonly cell: (row: Row, isNarrow: boolean) => ReactNode;
  /** Value in a CSV file; without it the column is not exported. */
  readonly csv?: (row: Row) => string | number;
}

/** Table width below which rows have two lines, px. */
export const NARROW_PX = 620;

export const features = tableFeatures({ columnVisibilityFeature });

export const columnDefs = <Row extends RowData>(
  columns: readonly TableColumn<Row>[],
): ColumnDef<typeof features, Row>[] =>
  columns.map(({ id, head, isOptional = false }) => ({ id, header: head, enableHiding: isOptional }));

/** Returns the columns that a table of this width shows, px. */
export function columnsAt<Row>(columns: readonly TableColumn<Row>[], width: number): readonly TableColumn<Row>[] {
  return isNarrow(width)
    ? columns.filter(({ narrow }) => narrow !== undefined)
    : columns.filter(({ hideBelow = 0 }) => width === 0 || width >= hideBelow);
}

export const isNarrow = (width: number): boolean => width > 0 && width < NARROW_PX;

/** Whether narrow rows have a second line. */
export const hasSecondLine = (columns: readonly TableColumn<never>[]): boolean =>
  columns.some(({ narrow }) => narrow === "line" || narrow === "actions");

/** Returns the grid-template-columns of every row, independent of content. */
export function gridOf(columns: readonly TableColumn<never>[], narrow: boolean): string {
  if (narrow)
    return `${columns
      .filter((column) => column.narrow === "lead")
      .map(widthOf)
      .join(" ")} minmax(0, 1fr) auto`;
  return columns.map(widthOf).join(" ");
}

/** Returns the minimum width of the columns, px. */
export const leastWidth = (columns: readonly TableColumn<never>[]): number =>
  columns.reduce((sum, { width }) => sum + (typeof width === "number" ? width : width.min), 0);

const widthOf = ({ width }: Pick<TableColumn<never>, "width">): string =>
  typeof width === "number" ? `${width}px` : `minmax(${width.min}px, ${width.share}fr)`;

/**
 * Returns the grid-area of a cell in a narrow row: leads and title on the first line, line and actions on the second.
 */
export function narrowArea(columns: readonly TableColumn<never>[], { id, narrow }: TableColumn<never>): string {
  const leads = columns.filter((column) => column.narrow === "lead");
  const first = leads.length + 1;
  switch (narrow) {
    case "lead":
      return `1 / ${leads.findIndex((lead) => lead.id === id) + 1}`;
    case "title":
      return hasSecondLine(columns) ? `1 / ${first} / 2 / ${first + 2}` : `1 / ${first}`;
    case "beside":
      return `1 / ${first + 1}`;
    case "line":
      return `2 / ${first}`;
    default:
      return `2 / ${first + 1}`;
  }
}
