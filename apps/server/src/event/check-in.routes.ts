import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  AttendeeCodeSchema,
  CheckInSchema,
  type AttendeeCode,
  type CheckIn,
  type EventService,
} from "@followspot/contract/event";
import { ListQuerySchema } from "@followspot/contract/list";
import { requireCaller } from "../platform/caller.ts";
import { change, done, type Entry } from "../platform/change.ts";
import type { Db, Sql } from "../platform/database.ts";
import { conflict, invalid, notFound } from "../platform/errors.ts";
import { countRows, readPage } from "../platform/lists.ts";
import { timestampOf } from "../platform/timestamps.ts";
import { attendeeCode, attendeeKey, readAttendeeCode, type Attendee } from "./attendee-codes.ts";
import * as checkIns from "./check-ins.store.ts";
import type { AttendeeRow, CheckInRow, NamedCheckInRow } from "./check-ins.store.ts";
import { findEvent, holdEvent } from "./events.store.ts";

type CheckInMethod = "scanQr" | "listAttendeeCodes" | "getMyCode" | "listCheckIns" | "countCheckIns" | "undoCheckIn";

/** The calls of the door: codes, scans and who came. A change takes the person's row, then the event's, then the check-in. */
export function checkInMethods(
  sql: Sql,
  secret: Uint8Array,
): Required<Pick<ServiceImpl<typeof EventService>, CheckInMethod>> {
  const key = attendeeKey(secret);
  return {
    scanQr: async (request, context) => {
      const caller = requireCaller(context);
      const attendee = readAttendeeCode(key, request.code);
      if (typeof attendee === "string") throw invalid(REFUSALS[attendee]);
      if (attendee.eventId !== request.eventId) throw await otherEvent(sql, attendee, request.eventId);
      return change(sql, caller, async (tx) => {
        const person = await checkIns.holdPerson(tx, attendee.userId);
        if (!person || person.deleted_at) throw conflict("This code belongs to somebody who was deleted");
        if (!(await holdEvent(tx, attendee.eventId))) throw goneEvent();
        const place = { event_id: attendee.eventId, user_id: attendee.userId };
        const made = await checkIns.insertCheckIn(tx, { ...place, checked_in_by: caller.userId });
        const stands = (await checkIns.findCheckIn(tx, attendee))!; // the person is held: nobody takes it back meanwhile
        const answer = {
          success: made !== undefined,
          alreadyCheckedIn: made === undefined,
          userId: attendee.userId,
          userName: person.name,
          checkedInAt: timestampOf(stands.checked_in_at),
          checkedInBy: stands.scanner_name ?? "",
        };
        return made ? done(answer, entry("created", undefined, made)) : done(answer);
      });
    },

    listAttendeeCodes: async ({ eventId, list }) => {
      await requireEvent(sql, eventId);
      const { rows, nextPageToken } = await readPage<AttendeeRow>(
        sql,
        checkIns.attendeeList(eventId),
        list ?? create(ListQuerySchema),
        sql`users.deleted_at is null and not users.is_script`,
      );
      return { codes: rows.map((row) => toCode(eventId, row)), nextPageToken };
    },

    getMyCode: async ({ eventId }, context) => {
      const { userId, name } = requireCaller(context);
      await requireEvent(sql, eventId);
      const mine = await checkIns.findCheckIn(sql, { eventId, userId });
      return { code: toCode(eventId, { id: userId, name, checked_in_at: mine?.checked_in_at ?? null }) };
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

  function toCode(eventId: string, { id, name, checked_in_at }: AttendeeRow): AttendeeCode {
    const code = attendeeCode(key, { eventId, userId: id });
    return create(AttendeeCodeSchema, { userId: id, userName: name, code, checkedInAt: timestampOf(checked_in_at) });
  }
}

/** For the person at the door: what to do next. */
const REFUSALS = {
  "no code": "This is not an attendee code: scan the code of this event that the person was given",
  damaged: "Only a part of the code was read: scan it again",
  forged: "This code is not genuine: it was made elsewhere, or altered",
} as const;

const goneEvent = () => conflict("This event was deleted: nobody can be checked in");

async function otherEvent(db: Db, { eventId }: Attendee, here: string) {
  await requireEvent(db, here);
  const title = (await findEvent(db, eventId))?.title;
  return conflict(`This code is for another event${title ? `: ${title}` : ""}`);
}

/** Events that were deleted have no door. */
async function requireEvent(db: Db, id: string): Promise<void> {
  const event = await findEvent(db, id);
  if (!event) throw notFound("Event", id);
  if (event.deleted_at) throw goneEvent();
}

function toCheckIn(row: NamedCheckInRow): CheckIn {
  return create(CheckInSchema, {
    id: row.id,
    eventId: row.event_id,
    userId: row.user_id,
    userName: row.user_name,
    checkedInAt: timestampOf(row.checked_in_at),
    checkedInBy: row.scanner_name ?? "",
  });
}

/** Without names: what is kept of a person who is purged must say nothing of them. */
function entry(verb: string, before: CheckInRow | undefined, after: CheckInRow | undefined): Entry {
  const { id, event_id, user_id } = (after ?? before)!; // one of the two is there
  return { noun: "check_in", id, verb, before, after, payload: { event_id, user_id } };
}
