import { countOf } from "../../lib/formatting.ts";

const people = (n: number) => countOf(n, "person", "people");

/** Texts of the user import. */
export const importStrings = {
  open: "Import",
  title: "Import people",
  file: "CSV file",
  fileHint:
    "Or drop it here. UTF-8, with commas, semicolons or tabs; the first line names the columns. At most 5,000 people.",
  paste: "Or paste its lines",
  read: "Read lines",
  pasted: "Pasted lines",
  tooLarge: "This file is larger than 10 MB. Split it.",
  notText: "This file is not text. Save it as CSV.",
  unclosed: (line: number) =>
    `The quoted field that begins on line ${line} has no end. Close it or take the quote away.`,
  noPeople: "There are no people in this file. Its first line names the columns, each line below is a person.",
  tooMany: (n: number) => `There are ${people(n)} in this file. At most 5,000 fit: split it.`,
  found: (name: string, n: number) => `${name}: ${people(n)}`,
  columns: "Which column is what",
  notThere: "Not in the file",
  column: (n: number) => `Column ${n}`,
  nameMissing: "Say which column holds the name.",
  updates: "Update people who are already there",
  updatesHint: "By email or phone. Empty fields and roles stay as they are. People who were deleted come back.",
  otherFile: "Other file",
  check: (n: number) => `Check ${people(n)}`,
  checking: (done: number, all: number) => `Checked ${done.toLocaleString("en")} of ${all.toLocaleString("en")}`,
  importing: (done: number, all: number) => `Imported ${done.toLocaleString("en")} of ${all.toLocaleString("en")}`,
  import: (n: number) => `Import ${people(n)}`,
  nothing: "There are no new people in this file.",
  rows: "Rows of the file",
  line: (n: number) => `Line ${n.toLocaleString("en")}`,
  noName: "No name",
  more: (n: number) => `Show ${n.toLocaleString("en")} more`,
  filterLabel: "Show",
  all: "All",
  /** Predicted outcome of a row. */
  would: {
    created: "New",
    updated: "Updated",
    restored: "Comes back",
    unchanged: "Already there",
    repeated: "Twice in the file",
    refused: "Refused",
    left: "Not imported",
  },
  /** Outcome of a row. */
  did: {
    created: "Created",
    updated: "Updated",
    restored: "Came back",
    unchanged: "Already there",
    repeated: "Twice in the file",
    refused: "Refused",
    left: "Not imported",
  },
  matches: (name: string, roles: readonly string[]) =>
    `Matches ${name}${roles.length === 0 ? "" : ` (${roles.join(", ")})`}`,
  repeatedAs: (line: number) => `Same email or phone as line ${line.toLocaleString("en")}`,
  stopped: "It was stopped before the server said that it has this row.",
  saveRefused: (n: number) => `Save ${countOf(n, "refused row", "refused rows")}`,
  refusedFile: "refused people",
  reason: "Reason",
  back: "Back",
  close: "Close",
  cancel: "Cancel",
  done: (n: number) => `Imported ${people(n)}`,
  undoing: (done: number, all: number) =>
    `Deleted ${done.toLocaleString("en")} of ${all.toLocaleString("en")} imported people`,
  undone: (n: number) => `Deleted ${people(n)} that had been imported`,
} as const;
