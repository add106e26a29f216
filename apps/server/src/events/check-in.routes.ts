import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import {
  AttendeeCodeSchema,
  CheckInSchema,
  SettledScanSchema,
  type AttendeeCode,
  type CheckIn,
  type EventService,
  type Scan,
  type SettledScan,
} from "@followspot/contract/event";
import { topicsOf } from "@followspot/contract";
import { ListQuerySchema } from "@followspot/contract/list";
import { requireCaller, type Caller } from "../platform/caller.ts";
import { change, done, type Entry } from "../platform/database/change.ts";
import type { Db, Sql } from "../platform/database/database.ts";
import { conflict, invalid, notFound } from "../platform/errors.ts";
import { countRows, readPage } from "../platform/database/lists.ts";
import { dateOf, timestampOf } from "../platform/database/timestamps.ts";
import { attendeeKey, type Attendee } from "./attendee-codes.ts";
import * as checkIns from "./check-ins.store.ts";
import type { AttendeeRow, CheckInRow, NamedCheckInRow } from "./check-ins.store.ts";
import { refusalOf, whyNoCode, type Refusal } from "./doors.ts";
import { deletedEvent, isDeletedEvent, requireEvent } from "./event-message.ts";
import { findEvent, holdEvent } from "./events.store.ts";
import { attendeeOf, codeFor, codesFor, type IssuedCodes } from "./issued-codes.store.ts";
import { findRegistration } from "./registrations.store.ts";

type CheckInMethod =
  | "scanQr"
  | "settleScans"
  | "listAttendeeCodes"
  | "getMyCode"
  | "listCheckIns"
  | "countCheckIns"
  | "undoCheckIn";

/** Returns the RPC methods for check-in: codes, scans and the list of check-ins. Lock order: user, event, check-in. */
export function checkInMethods(
  sql: Sql,
  secret: Uint8Array,
): Required<Pick<ServiceImpl<typeof EventService>, CheckInMethod>> {
  const key = attendeeKey(secret);
  return {
    scanQr: async ({ eventId, code, admit, scannedAt, door }, context) => {
      const at = scannedAt && scanTime(scannedAt);
      const scan = await letIn(eventId, { code, admit, at, door }, requireCaller(context));
      return {
        success: scan.made,
        alreadyCheckedIn: !scan.made && scan.stands !== undefined,
        userId: scan.userId,
        userName: scan.userName,
        checkedInAt: timestampOf(scan.stands?.checked_in_at ?? null),
        checkedInBy: scan.stands?.scanner_name ?? "",
        registration: scan.registration,
        peopleIn: scan.peopleIn,
        places: scan.places,
        refusal: scan.refusal ?? "",
      };
    },

    settleScans: async ({ eventId, scans }, context) => {
      const caller = requireCaller(context);
      await requireEvent(sql, eventId);
      const results: SettledScan[] = [];
      // Sequential, in scan order: if the request is aborted, the first scans of the list are already applied.
      for (const scan of scans) results.push(await settle(eventId, scan, caller));
      return { results };
    },

    listAttendeeCodes: async ({ eventId, list }) => {
      const { registration } = await requireEvent(sql, eventId);
      const { rows, nextPageToken } = await readPage<AttendeeRow>(
        sql,
        checkIns.attendeeList(eventId, registration !== "none"),
        list ?? create(ListQuerySchema),
        checkIns.isAttendee(sql, registration !== "none"),
      );
      const codes = await codesFor(
        sql,
        key,
        eventId,
        rows.map(({ id }) => id),
      );
      return { codes: rows.map((row) => toCode(row, codes.get(row.id)!)), nextPageToken }; // one entry per requested ID
    },

    getMyCode: async ({ eventId }, context) => {
      const { userId, name } = requireCaller(context);
      const event = await requireEvent(sql, eventId);
      const mine = await checkIns.findCheckIn(sql, { eventId, userId });
      const listed = event.registration === "none" ? undefined : await findRegistration(sql, { eventId, userId });
      const reason = whyNoCode(event.registration, listed, mine !== undefined);
      if (reason) throw conflict(reason);
      const { checked_in_at = null, scanner_name = null } = mine ?? {};
      const registration: AttendeeRow["registration"] = listed?.state ?? "";
      const admitted: AttendeeRow["admitted"] = mine?.admitted ?? "";
      const own = { id: userId, name, email: "", phone: "" };
      const codes = await codeFor(sql, key, { eventId, userId });
      return { code: toCode({ ...own, checked_in_at, scanner_name, registration, admitted }, codes) };
    },

    listCheckIns: async ({ eventId, list }) => {
      await requireEvent(sql, eventId);
      const { rows, nextPageToken } = await readPage<NamedCheckInRow>(
        sql,
        checkIns.CHECK_IN_LIST,
        list ?? create(ListQuerySchema),
        sql`check_ins.event_id = ${eventId}`,
      );
      return { checkIns: rows.map(toCheckIn), nextPageToken };
    },

    countCheckIns: async ({ eventId, query }) => {
      await requireEvent(sql, eventId);
      const counts = await countRows(sql, checkIns.CHECK_IN_LIST, query, sql`check_ins.event_id = ${eventId}`);
      return { counts };
    },

    undoCheckIn: ({ eventId, userId }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        if (!(await checkIns.holdPerson(tx, userId))) throw notFound("User", userId);
        await requireEvent(tx, eventId);
        const row = await checkIns.removeCheckIn(tx, { eventId, userId });
        const answer = { success: row !== undefined };
        return row ? done(answer, entry("undone", row, undefined)) : done(answer);
      }),
  };

  /** Reads a code and checks the attendee in, unless they are already checked in or the check-in is rejected. */
  async function letIn(eventId: string, { code, admit, at, door }: DoorScan, caller: Caller) {
    const attendee = await attendeeOf(sql, key, eventId, code);
    if (typeof attendee === "string") throw invalid(REFUSALS[attendee]);
    if (attendee.eventId !== eventId) throw await otherEvent(sql, attendee, eventId);
    return change(sql, caller, async (tx) => {
      const person = await checkIns.holdPerson(tx, attendee.userId);
      if (!person || person.deleted_at) throw conflict("This code belongs to a person who was deleted");
      const event = await holdEvent(tx, eventId);
      if (!event) throw deletedEvent();
      const asks = event.registration !== "none";
      const state = asks ? (await findRegistration(tx, attendee))?.state : undefined;
      const before = await checkIns.findCheckIn(tx, attendee);
      const peopleIn = await checkIns.countPeopleIn(tx, eventId);
      const scannedAt = at ?? new Date();
      const against = before ? undefined : refusalOf(event, { registration: state, peopleIn, at: scannedAt });
      const made =
        before || (against && !admit)
          ? undefined
          : await checkIns.insertCheckIn(tx, {
              event_id: eventId,
              user_id: attendee.userId,
              checked_in_at: scannedAt,
              checked_in_by: caller.userId,
              admitted: against ?? "",
              door,
            });
      const answer = {
        userId: attendee.userId,
        userName: person.name,
        registration: asks ? (state ?? "none") : "",
        made: made !== undefined,
        stands: made ? await checkIns.findCheckIn(tx, attendee) : before,
        refusal: made ? undefined : against,
        peopleIn: peopleIn + (made ? 1 : 0),
        places: event.places,
      };
      return made ? done(answer, entry("created", undefined, made)) : done(answer);
    });
  }

  /**
   * Syncs a scan that a door made while it was offline. If this door has synced the check-in before, the result is the
   * same as the first time.
   */
  async function settle(eventId: string, scan: Scan, caller: Caller): Promise<SettledScan> {
    try {
      if (!scan.scannedAt) throw invalid("A scan without its time cannot be settled");
      const { admit, code, door } = scan;
      const { made, stands, refusal, ...person } = await letIn(
        eventId,
        { code, admit, door, at: scanTime(scan.scannedAt) },
        caller,
      );
      const { userId, userName } = person;
      if (!stands) return settled({ state: "refused", userId, userName, refused: SETTLED_REFUSALS[refusal!] });
      const isOwn = made || (door !== "" && door === stands.door);
      return settled({
        state: isOwn ? "checked_in" : "already",
        userId,
        userName,
        checkedInAt: timestampOf(stands.checked_in_at),
        checkedInBy: stands.scanner_name ?? "",
      });
    } catch (error) {
      const isRefused =
        error instanceof ConnectError && [Code.InvalidArgument, Code.FailedPrecondition].includes(error.code);
      // The event was deleted after the scan: the door keeps the scan until the event is restored.
      if (!isRefused || isDeletedEvent(error)) throw error;
      return settled({ state: "refused", refused: error.rawMessage });
    }
  }
}

function toCode(row: AttendeeRow, codes: IssuedCodes): AttendeeCode {
  return create(AttendeeCodeSchema, {
    ...codes,
    userId: row.id,
    userName: row.name,
    email: row.email,
    phone: row.phone,
    checkedInAt: timestampOf(row.checked_in_at),
    checkedInBy: row.scanner_name ?? "",
    registration: row.registration,
    admitted: row.admitted,
  });
}

/** One scan of a code. @see ScanQrRequest */
interface DoorScan {
  readonly code: string;
  readonly admit: boolean;
  /** Undefined: now. */
  readonly at: Date | undefined;
  readonly door: string;
}

const settled = (fields: MessageInitShape<typeof SettledScanSchema>) => create(SettledScanSchema, fields);

const OLDEST_SCAN_MS = 24 * 3600 * 1000;
/** Tolerated difference between the clocks of a door and the server, ms. */
const CLOCKS_APART_MS = 5000;

/**
 * Parses the time of a scan that is sent later. @throws invalid_argument for a time in the future or older than 24
 * hours
 */
function scanTime(scannedAt: Timestamp): Date {
  const at = dateOf(scannedAt, "scannedAt");
  const age = Date.now() - at.getTime();
  if (age < -CLOCKS_APART_MS) throw invalid("scannedAt: lies in the future; set the clock of the door");
  if (age > OLDEST_SCAN_MS)
    throw invalid("scannedAt: was more than 24 hours ago, which is too late to check a person in");
  return at;
}

/** Reasons shown to a door that admitted the attendee while offline, by rejection. */
const SETTLED_REFUSALS: Readonly<Record<Refusal, string>> = {
  not_registered: "Has no place at this event: not registered",
  waiting: "Has no place at this event: on the waiting list",
  full: "The house was full",
  early: "The doors were not open yet",
  late: "The doors had closed",
};

/** Errors for door staff, with what to do next, by the kind of invalid code. */
const REFUSALS = {
  "no code": "This is not an attendee code: scan the code of this event that the person was given",
  damaged: "Only a part of the code was read: scan it again",
  forged: "This code is not genuine: it was made elsewhere, or altered",
  unknown: "No attendee of this event has this short code. Check the six characters, or search for the name",
} as const;

async function otherEvent(db: Db, { eventId }: Attendee, here: string) {
  await requireEvent(db, here);
  const title = (await findEvent(db, eventId))?.title;
  return conflict(`This code is for another event${title ? `: ${title}` : ""}`);
}

function toCheckIn(row: NamedCheckInRow): CheckIn {
  return create(CheckInSchema, {
    id: row.id,
    eventId: row.event_id,
    userId: row.user_id,
    userName: row.user_name,
    checkedInAt: timestampOf(row.checked_in_at),
    checkedInBy: row.scanner_name ?? "",
    registration: row.registration,
    admitted: row.admitted,
  });
}

/** Entry for the audit log and the live events. Holds no names, so that it can stay when the user is purged. */
function entry(verb: string, before: CheckInRow | undefined, after: CheckInRow | undefined): Entry {
  const { id, event_id, user_id } = (after ?? before)!; // at least one is defined
  // The attendee's own devices are notified, too.
  const topics = [...topicsOf("check_in", id), `user.${user_id}`];
  return { noun: "check_in", id, verb, before, after, topics, payload: { event_id, user_id } };
}
