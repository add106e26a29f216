import type { AttendeeCode, CheckIn } from "@followspot/contract/event";
import { toDate } from "../../lib/formatting.ts";
import type { LocalSource } from "../../lib/use-local-list.ts";
import type { UnsettledScan } from "./kept-scans.ts";

/** A person in the list of the door. */
export interface Attendee {
  readonly userId: string;
  readonly name: string;
  /** Empty for a person who is not among the loaded codes. */
  readonly code: string;
  readonly shortCode: string;
  readonly email: string;
  readonly phone: string;
  /** registered, waiting or none; empty if the event does not require registration. */
  readonly registration: string;
  /** Rejection that door staff overrode; empty if there was none. */
  readonly admitted: string;
  /** `unsettled`: checked in by this door, and not yet synced. */
  readonly state: "missing" | "in" | "unsettled";
  readonly at: Date | undefined;
  /** Name of the user who checked the person in. */
  readonly by: string;
}

/** The newest check-ins, which change more often than the codes are loaded. */
export interface RecentCheckIns {
  readonly checkIns: readonly CheckIn[];
  /** Whether these are all check-ins of the event. */
  readonly isWhole: boolean;
  readonly askedAtMs: number;
}

/** Attendee codes at the last load. */
export interface LoadedCodes {
  readonly codes: readonly AttendeeCode[];
  readonly askedAtMs: number;
}

/**
 * Merges what the door has into one list by name: loaded codes, newer check-ins of all doors, and scans of this door
 * that are not yet synced.
 */
export function attendeesOf(
  { codes, askedAtMs }: LoadedCodes,
  recent: RecentCheckIns | undefined,
  unsettled: readonly UnsettledScan[],
): readonly Attendee[] {
  const news = recent && recent.askedAtMs >= askedAtMs ? recent : undefined;
  const came = new Map(news?.checkIns.map((each) => [each.userId, each]));
  const oldestAt = news?.isWhole ? -Infinity : (toDate(news?.checkIns.at(-1)?.checkedInAt)?.getTime() ?? Infinity);
  const scans = new Map(unsettled.map((scan) => [scan.code, scan]));
  const known = new Set(codes.map(({ userId }) => userId));
  const listed = codes.map((code): Attendee => {
    const person = personOf(code);
    const now = came.get(code.userId);
    if (now) return { ...person, ...checkInOf(now) };
    const at = toDate(code.checkedInAt);
    // A check-in that is missing among the newer ones was undone.
    if (at && at.getTime() < oldestAt) return { ...person, state: "in", at, by: code.checkedInBy };
    const scan = scans.get(code.code);
    return scan
      ? { ...person, state: "unsettled", at: new Date(scan.scannedAtMs), admitted: "" }
      : { ...person, admitted: "" };
  });
  const others = [...came.values()].filter(({ userId }) => !known.has(userId)).map(strangerOf);
  return others.length === 0 ? listed : [...listed, ...others].toSorted(byName);
}

const personOf = ({
  userId,
  userName,
  code,
  shortCode,
  email,
  phone,
  registration,
  admitted,
}: AttendeeCode): Attendee => ({
  userId,
  name: userName,
  code,
  shortCode,
  email,
  phone,
  registration,
  admitted,
  state: "missing",
  at: undefined,
  by: "",
});

const checkInOf = ({ checkedInAt, checkedInBy, admitted }: CheckIn) =>
  ({ state: "in", at: toDate(checkedInAt), by: checkedInBy, admitted }) as const;

/** A person who registered, or was admitted, after the codes were loaded. */
const strangerOf = (checkIn: CheckIn): Attendee => ({
  ...{ userId: checkIn.userId, name: checkIn.userName, registration: checkIn.registration },
  ...{ code: "", shortCode: "", email: "", phone: "" },
  ...checkInOf(checkIn),
});

const NAMES = new Intl.Collator(undefined, { sensitivity: "base", numeric: true });
const byName = (a: Attendee, b: Attendee) => NAMES.compare(a.name, b.name);
const timeOf = ({ at }: Attendee) => at?.getTime() ?? 0;

const isIn = ({ state }: Attendee) => state !== "missing";
/** Whether the person has a place, or needs none. */
const isExpected = ({ registration }: Attendee) => registration === "registered" || registration === "";

export const ATTENDEES: LocalSource<Attendee> = {
  name: "attendees",
  id: ({ userId }) => userId,
  searched: ({ name, email, phone, shortCode }) =>
    `${name} ${email} ${phone} ${phone.replaceAll(/\D/g, "")} ${shortCode}`,
  filters: {
    "": () => true,
    missing: (row) => !isIn(row) && isExpected(row),
    here: isIn,
    waiting: (row) => !isIn(row) && row.registration === "waiting",
    admitted: ({ admitted }) => admitted !== "",
  },
  orders: { name: byName, checked_in_at: (a, b) => timeOf(a) - timeOf(b) },
};

/** Counts for the heading of the door: people who are here, and people who have a place or came without one. */
export function countsOf(attendees: readonly Attendee[]): { readonly here: number; readonly expected: number } {
  const here = attendees.filter(isIn).length;
  return { here, expected: here + attendees.filter(ATTENDEES.filters["missing"]!).length };
}
