import { movedAlong } from "@followspot/contract";
import type { DuplicateEventRequest } from "@followspot/contract/event";
import type { Caller } from "../platform/caller.ts";
import { change, done, type Entry } from "../platform/database/change.ts";
import type { Sql, Tx } from "../platform/database/database.ts";
import { conflict, invalid, notFound } from "../platform/errors.ts";
import { copyImage } from "../platform/pictures/images.ts";
import { requireOrder, requireTime, requireTitle, requireZone } from "./event-rules.ts";
import { eventEntry, toEvent } from "./event-message.ts";
import * as events from "./events.store.ts";
import type { EventRow } from "./events.store.ts";
import { ensureInvitation } from "./registrations.store.ts";

/** Copies the talks of one event into another. @returns an entry for each talk, as if it had been created */
export type CopyTalks = (
  tx: Tx,
  copy: { readonly from: string; readonly to: string; readonly moved: (at: Date) => Date },
) => Promise<readonly Entry[]>;

/** Creates a copy of an event at other times in one transaction. Registrations, check-ins and votes are not copied. */
export async function duplicateEvent(
  { sql, copyTalks }: { readonly sql: Sql; readonly copyTalks: CopyTalks },
  request: DuplicateEventRequest,
  caller: Caller,
) {
  const title = requireTitle(request.title);
  const starts_at = requireTime(request.startsAt, "startsAt", "Start date/time is required");
  const ends_at = requireTime(request.endsAt, "endsAt", "End date/time is required");
  const fallback = requireZone(request.timeZone) || "UTC";
  return change(sql, caller, async (tx) => {
    const source = await events.lockEvent(tx, request.eventId);
    if (!source) throw notFound("Event", request.eventId);
    if (source.deleted_at) throw conflict("This event was deleted. Restore it, then duplicate it");
    const along = { from: source.starts_at, to: starts_at, zone: source.time_zone || fallback };
    const moved = (at: Date) => {
      const year = new Date(at.getTime() + starts_at.getTime() - source.starts_at.getTime()).getUTCFullYear();
      if (!(year > 1900 && year < 9999)) throw invalid("Talks and doors would be moved out of the years 1900 to 9999");
      return movedAlong(at, along);
    };

    const { location, address, lat, lng, time_zone, music_during_talks, public_page } = source;
    const kept = request.registration ? registrationOf(source, moved) : NO_REGISTRATION;
    const place = { location, address, lat, lng, time_zone };
    const fields = { title, starts_at, ends_at, ...place, music_during_talks, public_page, ...kept };
    requireOrder(fields);
    const image_id = request.banner && (await copyImage(tx, source.image_id));
    const event = await events.insertEvent(tx, { ...fields, ...(image_id && { image_id }) });
    await ensureInvitation(tx, event);
    const talks = request.talks ? await copyTalks(tx, { from: source.id, to: event.id, moved }) : [];
    return done({ event: toEvent(event), talks: talks.length }, eventEntry("created", undefined, event), ...talks);
  });
}

const NO_REGISTRATION = { registration: "none", places: 0, doors_open_at: null, doors_close_at: null } as const;

const registrationOf = ({ registration, places, ...doors }: EventRow, moved: (at: Date) => Date) => ({
  registration,
  places,
  doors_open_at: doors.doors_open_at && moved(doors.doors_open_at),
  doors_close_at: doors.doors_close_at && moved(doors.doors_close_at),
});
