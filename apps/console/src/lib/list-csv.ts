/** A column of a CSV file. */
export interface CsvColumn<Row> {
  readonly head: string;
  readonly csv: (row: Row) => string | number;
}

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Formats the header line of a file, after RFC 4180. */
export const csvHead = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  BYTE_ORDER_MARK + line(columns.map(({ head }) => head));

/** Formats one line per row, each with its line ending. */
export const csvLines = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  rows.map((row) => line(columns.map(({ csv }) => csv(row)))).join("");

const line = (fields: readonly (string | number)[]): string => `${fields.map(field).join(",")}\r\n`;

function field(value: string | number): string {
  const text = typeof value === "number" ? String(value) : unarmed(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Puts an apostrophe before text that a spreadsheet would run as a formula. Plain numbers are harmless. */
function unarmed(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}
