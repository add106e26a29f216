import { parseCsv, UnclosedQuote } from "../../lib/parse-csv.ts";
import { importStrings as text } from "./import.strings.ts";
import { toPeopleTable, type PeopleTable } from "./people-table.ts";

const MOST_BYTES = 10 * 1024 * 1024;
/** Maximum number of users per file. */
const MOST_PEOPLE = 5000;

/** Reads and parses an import file. @throws Error with a text for the user if the file is invalid or too large */
export async function readPeopleFile(file: Blob): Promise<PeopleTable> {
  if (file.size > MOST_BYTES) throw new Error(text.tooLarge);
  return peopleTable(decoded(new Uint8Array(await file.arrayBuffer())));
}

/** Decodes the encodings of spreadsheets: UTF-8, UTF-16 with a byte order mark ("Unicode text"), Windows-1252 ("CSV"). */
function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Parses the lines of an import file. @throws Error with a text for the user if the content is invalid */
export function peopleTable(content: string): PeopleTable {
  // Control characters that occur only in binary files.
  // oxlint-disable-next-line no-control-regex -- these are the ones
  if (/[\0-\u0008\u000e-\u001f]/.test(content)) throw new Error(text.notText);
  const table = toPeopleTable(parsed(content));
  if (!table || table.rows.length === 0) throw new Error(text.noPeople);
  if (table.rows.length > MOST_PEOPLE) throw new Error(text.tooMany(table.rows.length));
  return table;
}

function parsed(content: string) {
  try {
    return parseCsv(content);
  } catch (error) {
    if (error instanceof UnclosedQuote) throw new Error(text.unclosed(error.line), { cause: error });
    throw error;
  }
}
