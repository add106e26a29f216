/** One row of a CSV file. */
export interface CsvRow {
  /** Line number of its start in the file, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** A quoted field has no closing quote. */
export class UnclosedQuote extends Error {
  /** Line number of the field's start in the file, from 1. */
  readonly line: number;

  constructor(line: number) {
    super(`the quoted field that begins on line ${line} has no end`);
    this.name = "UnclosedQuote";
    this.line = line;
  }
}

const DELIMITERS = [",", ";", "\t"] as const;

/**
 * Parses a file after RFC 4180, with commas, semicolons or tabs as delimiter. Skips empty lines.
 * @throws UnclosedQuote
 */
export function parseCsv(text: string): readonly CsvRow[] {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const delimiter = delimiterOf(source);
  const rows: CsvRow[] = [];
  let [at, line] = [0, 1];
  while (at < source.length) {
    const begins = line;
    const fields: string[] = [];
    let isLast = false;
    while (!isLast) {
      const field = source[at] === '"' ? quoted() : { text: "", end: at };
      const end = endOfField(field.end);
      // Text after a closing quote is preserved, so that no content is lost.
      fields.push(field.text + source.slice(field.end, end));
      isLast = source[end] !== delimiter;
      at = end + 1;
    }
    if (source[at - 1] === "\r" && source[at] === "\n") at += 1;
    line += 1;
    if (fields.some((field) => field.trim() !== "")) rows.push({ line: begins, fields });
  }
  return rows;

  /** Returns the field whose opening quote is at `at`, without its quotes; a doubled quote inside it becomes one. */
  function quoted(): { readonly text: string; readonly end: number } {
    const begins = line;
    let text = "";
    for (let from = at + 1; ;) {
      const quote = source.indexOf('"', from);
      if (quote < 0) throw new UnclosedQuote(begins);
      const part = source.slice(from, quote);
      line += part.match(/\r\n|\r|\n/g)?.length ?? 0;
      text += part;
      if (source[quote + 1] !== '"') return { text, end: quote + 1 };
      text += '"';
      from = quote + 2;
    }
  }

  function endOfField(from: number): number {
    let end = from;
    while (end < source.length && source[end] !== delimiter && source[end] !== "\n" && source[end] !== "\r") end += 1;
    return end;
  }
}

/** Characters at the start of a file that are searched for the delimiter. */
const HEAD_LENGTH = 10_000;

/**
 * Returns the delimiter named by Excel's first line `sep=;`, or the most frequent one of the first line that has any.
 */
function delimiterOf(source: string): string {
  const named = /^sep=([,;\t])[\r\n]/i.exec(source)?.[1];
  if (named) return named;
  const lines = source.slice(0, HEAD_LENGTH).replaceAll(/"[^"]*"/g, "").split(/[\r\n]+/); // prettier-ignore
  const head = lines.find((line) => DELIMITERS.some((each) => line.includes(each))) ?? "";
  const count = (delimiter: string) => head.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}
