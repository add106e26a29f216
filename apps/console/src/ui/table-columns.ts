import { columnVisibilityFeature, tableFeatures, type ColumnDef, type RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";

/** Where a cell stands when the table is too narrow for columns: two lines per row, or one where the actions stand beside the title. */
export type NarrowPlace = "lead" | "title" | "line" | "actions" | "beside";

/** One column of a {@link DataTable}. */
export interface TableColumn<Row> {
  readonly id: string;
  readonly head: string;
  /** The head is for screen readers only. */
  readonly isHeadHidden?: boolean;
  /** Pixels, or pixels at least with a share of what is left. */
  readonly width: number | { readonly min: number; readonly share: number };
  /** Numbers stand at the right. */
  readonly align?: "end";
  /** Name of the order its head turns. */
  readonly sort?: string;
  /** People may hide it. */
  readonly isOptional?: boolean;
  /** Left out while the table is narrower than this, in pixels. */
  readonly hideBelow?: number;
  /** Its place in a narrow table; without one it is left out there. */
  readonly narrow?: NarrowPlace;
  readonly cell: (row: Row, isNarrow: boolean) => ReactNode;
  /** What a CSV file says of it; without it the column is not in the file. */
  readonly csv?: (row: Row) => string | number;
}

/** Below this many pixels a row has two lines. */
export const NARROW_PX = 620;

export const features = tableFeatures({ columnVisibilityFeature });

export const columnDefs = <Row extends RowData>(
  columns: readonly TableColumn<Row>[],
): ColumnDef<typeof features, Row>[] =>
  columns.map(({ id, head, isOptional = false }) => ({ id, header: head, enableHiding: isOptional }));

/** Which columns a table of this width shows. */
export function columnsAt<Row>(columns: readonly TableColumn<Row>[], width: number): readonly TableColumn<Row>[] {
  return isNarrow(width)
    ? columns.filter(({ narrow }) => narrow !== undefined)
    : columns.filter(({ hideBelow = 0 }) => width === 0 || width >= hideBelow);
}

export const isNarrow = (width: number): boolean => width > 0 && width < NARROW_PX;

/** Whether narrow rows have a second line. */
export const hasSecondLine = (columns: readonly TableColumn<never>[]): boolean =>
  columns.some(({ narrow }) => narrow === "line" || narrow === "actions");

/** The grid of every row: the same for all of them, whatever they hold. */
export function gridOf(columns: readonly TableColumn<never>[], narrow: boolean): string {
  if (narrow)
    return `${columns
      .filter((column) => column.narrow === "lead")
      .map(widthOf)
      .join(" ")} minmax(0, 1fr) auto`;
  return columns.map(widthOf).join(" ");
}

/** Pixels that the columns need at least. */
export const leastWidth = (columns: readonly TableColumn<never>[]): number =>
  columns.reduce((sum, { width }) => sum + (typeof width === "number" ? width : width.min), 0);

const widthOf = ({ width }: Pick<TableColumn<never>, "width">): string =>
  typeof width === "number" ? `${width}px` : `minmax(${width.min}px, ${width.share}fr)`;

/** Grid lines of a cell in a narrow row: leads and title above, the line and the actions below. */
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
