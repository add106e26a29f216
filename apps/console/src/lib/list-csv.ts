/** A column of a CSV file. */
export interface CsvColumn<Row> {
  readonly head: string;
  readonly csv: (row: Row) => string | number;
}

/** Lets spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The head line of a file, after RFC 4180. */
export const csvHead = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  BYTE_ORDER_MARK + line(columns.map(({ head }) => head));

/** One line per row, each with its end. */
export const csvLines = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  rows.map((row) => line(columns.map(({ csv }) => csv(row)))).join("");

const line = (fields: readonly (string | number)[]): string => `${fields.map(field).join(",")}\r\n`;

function field(value: string | number): string {
  const text = typeof value === "number" ? String(value) : unarmed(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet runs what begins like a formula; an apostrophe in front makes it text. Plain numbers are harmless. */
function unarmed(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}
