import { parseCsv, UnclosedQuote } from "../../lib/parse-csv.ts";
import { importStrings as text } from "./import.strings.ts";
import type { PeopleTable } from "./people-table.ts";

const MOST_BYTES = 10 * 1024 * 1024;
/** People of one file. */
const MOST_PEOPLE = 5000;

/** @throws Error that says what is wrong with the file */
export async function readPeopleFile(file: Blob): Promise<PeopleTable> {
  if (file.size > MOST_BYTES) throw new Error(text.tooLarge);
  const bytes = await file.arrayBuffer();
  let content: string;
  try {
    content = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error(text.notText, { cause });
  }
  return peopleTable(content);
}

/** @throws Error that says what is wrong with the lines */
export function peopleTable(content: string): PeopleTable {
  // Text of two bytes a letter has them, and no name does.
  if (content.includes("\0")) throw new Error(text.notText);
  const [head, ...rows] = parsed(content);
  if (!head || rows.length === 0) throw new Error(text.noPeople);
  if (rows.length > MOST_PEOPLE) throw new Error(text.tooMany(rows.length));
  return { heads: head.fields, rows };
}

function parsed(content: string) {
  try {
    return parseCsv(content);
  } catch (error) {
    if (error instanceof UnclosedQuote) throw new Error(text.unclosed(error.line), { cause: error });
    throw error;
  }
}
