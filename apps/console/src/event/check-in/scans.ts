import type { Event, ScanQrResponse, SettledScan } from "@followspot/contract/event";
import { errorSentence } from "../../lib/errors.ts";
import { timeOfDay, toDate } from "../../lib/formatting.ts";
import { checkInStrings as text } from "./check-in.strings.ts";
import { refusalText, type ScanOutcome } from "./door-rules.ts";

/** Scan as the door's screen shows it. */
export interface Scan extends ScanOutcome {
  /** Increases with every scan. */
  readonly id: number;
  readonly code: string;
}

/** Number of scans shown: the newest one and enough earlier ones to catch up after looking away. */
const KEPT = 6;

/** Adds a scan that waits for its response. */
export const begun = (scans: readonly Scan[], id: number, code: string): readonly Scan[] =>
  [{ id, code, state: "waiting" as const, name: "", detail: "" }, ...scans].slice(0, KEPT);

/** Replaces a scan by its response; responses arrive in any order. */
export const answered = (scans: readonly Scan[], id: number, outcome: ScanOutcome): readonly Scan[] =>
  scans.map((scan) => (scan.id === id ? { id, code: scan.code, ...outcome } : scan));

/** Converts a response of the server to a scan result. */
export function outcomeOf(answer: ScanQrResponse, event: Event | undefined): ScanOutcome {
  const { success, userName, checkedInAt, checkedInBy, registration, refusal } = answer;
  if (refusal) {
    const detail = refusalText(refusal, event && { ...event, places: answer.places }) ?? text.refused;
    return { state: "refused", name: userName, detail, canAdmit: true };
  }
  const at = toDate(checkedInAt);
  const known = Object.hasOwn(text.registrations, registration);
  const detail = [
    at && text.since(timeOfDay(at, event?.timeZone), checkedInBy),
    known && text.registrations[registration as keyof typeof text.registrations],
  ];
  return { state: success ? "in" : "again", name: userName, detail: detail.filter(Boolean).join(" · ") };
}

/**
 * Updates the offline scans with their results from the server.
 * @param results results by code
 */
export const nowSettled = (
  scans: readonly Scan[],
  results: ReadonlyMap<string, SettledScan>,
  event: Event | undefined,
): readonly Scan[] =>
  scans.map((scan) => {
    const result = scan.state === "here" ? results.get(scan.code.trim().toUpperCase()) : undefined;
    return result ? { id: scan.id, code: scan.code, ...settledOutcome(result, scan.name, event) } : scan;
  });

function settledOutcome(
  { state, userName, checkedInAt, checkedInBy, refused }: SettledScan,
  name: string,
  event: Event | undefined,
): ScanOutcome {
  const at = toDate(checkedInAt);
  if (!at) return { state: "refused", name: userName || name, detail: errorSentence(new Error(refused)) };
  const detail = text.since(timeOfDay(at, event?.timeZone), checkedInBy);
  return { state: state === "checked_in" ? "in" : "again", name: userName || name, detail };
}

export const refusalOf = (error: unknown): ScanOutcome => ({
  state: "refused",
  name: "",
  detail: errorSentence(error),
});

/** Splits rows into pages. */
export function inPages<Row>(rows: readonly Row[], perPage: number): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / perPage) }, (_, page) =>
    rows.slice(page * perPage, (page + 1) * perPage),
  );
}
