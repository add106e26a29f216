import type { AttendeeCode, Event } from "@followspot/contract/event";
import { dateTime, timeOfDay, toDate } from "../../lib/formatting.ts";
import { asksForRegistration, doorTimes } from "../event-rules.ts";
import { checkInStrings as text } from "./check-in.strings.ts";
import type { UnsettledScan } from "./kept-scans.ts";

/** What became of one scan. */
export interface ScanOutcome {
  /** `here`: answered by this door alone, and settled when there is a connection to the server. */
  readonly state: "waiting" | "in" | "here" | "again" | "refused";
  /** Who it was; empty while that is not known. */
  readonly name: string;
  /** When and by whom, or why not. */
  readonly detail: string;
  /** The person at the door may let them in all the same. */
  readonly canAdmit?: boolean;
}

/** What a door knows of its event. */
export interface DoorKnowledge {
  readonly event: Event | undefined;
  /** Every code there was when they were read, by its text; undefined while they never were. */
  readonly codes: ReadonlyMap<string, AttendeeCode> | undefined;
  readonly readAt: Date | undefined;
  /** When the server was asked for the codes, by `performance.now()`: no person sets that clock. */
  readonly askedAtMs: number;
  /** People who are in, scans of this door included. */
  readonly peopleIn: number;
}

type Refusal = keyof typeof text.refusals;

/** What stands against letting a person in, in words; undefined for a word of a newer server. */
export function refusalText(refusal: string, event: Event | undefined): string | undefined {
  if (!Object.hasOwn(text.refusals, refusal)) return undefined;
  const { opensAt, closesAt } = event ? doorTimes(event) : {};
  const at = refusal === "early" ? opensAt : closesAt;
  return text.refusals[refusal as Refusal](event?.places ?? 0, at ? nearTime(at, event?.timeZone) : "—");
}

/** A time of day alone where it can only mean tonight's. @param zone of the event */
export const nearTime = (at: Date, zone: string | undefined): string =>
  Math.abs(at.getTime() - Date.now()) < 12 * 3600_000 ? timeOfDay(at, zone) : dateTime(at, zone);

/**
 * The answer of a disconnected door, by the rules of the server as far as it knows them.
 * @param code trimmed, in capitals
 * @param nowMs by the server's clock
 * @returns state `here`: it is to be kept and settled later
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
  if (!code.startsWith("FS1.")) return refused(text.offline.notACode);
  if (!CODE.test(code)) return refused(text.offline.damaged);
  if (event && code.split(".")[1] !== event.id) return refused(text.offline.otherEvent);
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

/** As the server decides. */
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
