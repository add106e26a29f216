import type { ScanQrResponse } from "@followspot/contract/event";
import { errorSentence } from "../../lib/errors.ts";
import { timeOfDay, toDate } from "../../lib/formatting.ts";
import { checkInStrings as text } from "./check-in.strings.ts";

/** One scan as the door sees it. */
export interface Scan {
  /** Rises with every scan. */
  readonly id: number;
  readonly state: "waiting" | "in" | "again" | "refused";
  /** Who it was; empty while that is not known. */
  readonly name: string;
  /** When and by whom, or why not. */
  readonly detail: string;
}

/** The newest, and enough before it to see what happened while one looked away. */
const KEPT = 6;

/** The scans with one more in front, for whose answer is waited. */
export const begun = (scans: readonly Scan[], id: number): readonly Scan[] =>
  [{ id, state: "waiting" as const, name: "", detail: "" }, ...scans].slice(0, KEPT);

/** The scans with the answer of one in its place: answers come in any order. */
export const answered = (scans: readonly Scan[], id: number, outcome: Omit<Scan, "id">): readonly Scan[] =>
  scans.map((scan) => (scan.id === id ? { id, ...outcome } : scan));

/** What an answer of the server says to the door. */
export function outcomeOf({ success, userName, checkedInAt, checkedInBy }: ScanQrResponse): Omit<Scan, "id"> {
  const at = toDate(checkedInAt);
  return { state: success ? "in" : "again", name: userName, detail: at ? text.since(timeOfDay(at), checkedInBy) : "" };
}

export const refusalOf = (error: unknown): Omit<Scan, "id"> => ({
  state: "refused",
  name: "",
  detail: errorSentence(error),
});

/** Rows in pages of so many. */
export function inPages<Row>(rows: readonly Row[], perPage: number): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / perPage) }, (_, page) =>
    rows.slice(page * perPage, (page + 1) * perPage),
  );
}
