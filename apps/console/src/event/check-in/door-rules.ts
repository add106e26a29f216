import { readShortCode } from "@followspot/contract";
import type { AttendeeCode, Event } from "@followspot/contract/event";
import { dateTime, timeOfDay, toDate } from "../../lib/formatting.ts";
import { asksForRegistration, doorTimes } from "../event-rules.ts";
import { checkInStrings as text } from "./check-in.strings.ts";
import type { UnsettledScan } from "./kept-scans.ts";

/** Result of one scan. */
export interface ScanOutcome {
  /** `here`: decided by this door offline, to be synced with the server later. */
  readonly state: "waiting" | "in" | "here" | "again" | "refused";
  /** Name of the attendee; empty while unknown. */
  readonly name: string;
  /** Time and door staff of the check-in, or the reason for the rejection. */
  readonly detail: string;
  /** Whether door staff can override the rejection. */
  readonly canAdmit?: boolean;
}

/** Data that a door has about its event. */
export interface DoorKnowledge {
  readonly event: Event | undefined;
  /** All attendee codes at the last load, by code text; undefined until the first load. */
  readonly codes: ReadonlyMap<string, AttendeeCode> | undefined;
  readonly readAt: Date | undefined;
  /** Time of the request for the codes, by `performance.now()`, a clock that users cannot change. */
  readonly askedAtMs: number;
  /** Number of attendees who are in, including scans of this door. */
  readonly peopleIn: number;
}

type Refusal = keyof typeof text.refusals;

/** Returns the text of a rejection; undefined for a reason that only a newer server knows. */
export function refusalText(refusal: string, event: Event | undefined): string | undefined {
  if (!Object.hasOwn(text.refusals, refusal)) return undefined;
  const { opensAt, closesAt } = event ? doorTimes(event) : {};
  const at = refusal === "early" ? opensAt : closesAt;
  return text.refusals[refusal as Refusal](event?.places ?? 0, at ? nearTime(at, event?.timeZone) : "—");
}

/**
 * Formats a time of day, with the date if it is 12 hours or more from now.
 * @param zone time zone of the event
 */
export const nearTime = (at: Date, zone: string | undefined): string =>
  Math.abs(at.getTime() - Date.now()) < 12 * 3600_000 ? timeOfDay(at, zone) : dateTime(at, zone);

/**
 * Decides a scan offline, by the server's rules and the data of this door.
 * @param code trimmed, in upper case
 * @param nowMs time by the server's clock, ms since 1970
 * @returns state `here` if the scan has to be stored and synced later
 */
export function answerHere(
  code: string,
  {
    admit,
    unsettled,
    known,
    nowMs,
  }: {
    readonly admit: boolean;
    readonly unsettled: readonly UnsettledScan[];
    readonly known: DoorKnowledge;
    readonly nowMs: number;
  },
): ScanOutcome {
  const { event, codes, readAt } = known;
  const time = (at: Date) => timeOfDay(at, event?.timeZone);
  // A short code that this door does not know may belong to an attendee who registered since.
  if (!readShortCode(code)) {
    if (!code.startsWith("FS1.")) return refused(text.offline.notACode);
    if (!CODE.test(code)) return refused(text.offline.damaged);
    if (event && code.split(".")[1] !== event.id) return refused(text.offline.otherEvent);
  }
  const person = codes?.get(code);
  const before = unsettled.find((scan) => scan.code === code);
  if (before) return again(person, text.offline.scannedHere(time(new Date(before.scannedAtMs))));
  const came = toDate(person?.checkedInAt);
  if (came) return again(person, text.since(time(came), person?.checkedInBy ?? ""));
  const against = person
    ? refusalText(refusalOf(person, known, nowMs), event)
    : readAt
      ? text.offline.unknown(time(readAt))
      : text.offline.unread;
  if (against && !admit) return { ...refused(against, person), canAdmit: true };
  return { state: "here", name: person?.userName ?? "", detail: text.offline.notSettled };
}

const CODE = /^FS1\.[0-9A-Z]{26}\.[0-9A-Z]{26}\.[0-9A-F]{32}$/;

/** Applies the same rules as the server. */
function refusalOf(person: AttendeeCode, { event, peopleIn }: DoorKnowledge, nowMs: number): Refusal | "" {
  if (!event) return "";
  if (!asksForRegistration(event)) {
    if (event.places > 0 && peopleIn >= event.places) return "full";
  } else if (person.registration !== "registered")
    return person.registration === "waiting" ? "waiting" : "not_registered";
  const { opensAt, closesAt } = doorTimes(event);
  if (opensAt && nowMs < opensAt.getTime()) return "early";
  return closesAt && nowMs > closesAt.getTime() ? "late" : "";
}

const again = (person: AttendeeCode | undefined, detail: string): ScanOutcome => ({
  state: "again",
  name: person?.userName ?? "",
  detail,
});

const refused = (detail: string, person?: AttendeeCode): ScanOutcome => ({
  state: "refused",
  name: person?.userName ?? "",
  detail,
});
