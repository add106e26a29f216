import { create, toJson } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { EventSchema, type Event } from "@followspot/contract/event";
import type { Entry } from "../platform/database/change.ts";
import type { Db } from "../platform/database/database.ts";
import { conflict, notFound } from "../platform/errors.ts";
import { imageUrl } from "../platform/pictures/images.ts";
import { timestampOf } from "../platform/database/timestamps.ts";
import { findEvent, type EventRow } from "./events.store.ts";

export function toEvent(row: EventRow): Event {
  return create(EventSchema, {
    id: row.id,
    title: row.title,
    startsAt: timestampOf(row.starts_at),
    endsAt: timestampOf(row.ends_at),
    location: row.location,
    address: row.address,
    lat: row.lat,
    lng: row.lng,
    image: row.image_id ?? "",
    bannerUrl: imageUrl(row.image_id),
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
    deletedAt: timestampOf(row.deleted_at),
    places: row.places,
    registration: row.registration,
    registered: row.registered,
    waiting: row.waiting,
    doorsOpenAt: timestampOf(row.doors_open_at),
    doorsCloseAt: timestampOf(row.doors_close_at),
    timeZone: row.time_zone,
    musicDuringTalks: row.music_during_talks,
    publicPage: row.public_page,
  });
}

export function eventEntry(verb: string, before: EventRow | undefined, after: EventRow): Entry {
  const payload = { event: toJson(EventSchema, toEvent(after)) };
  return { noun: "event", id: after.id, verb, before: before && ownFields(before), after: ownFields(after), payload };
}

/** Entry that publishes the number of people on the list of an event to everyone; it is no change of the event. */
export async function countedEntry(db: Db, eventId: string): Promise<Entry> {
  const event = (await findEvent(db, eventId))!; // callers hold the row
  return { ...eventEntry("counted", undefined, event), isMembersOwn: true };
}

/** Returns an event. @throws not_found if there is none; failed_precondition if it was deleted */
export async function requireEvent(db: Db, id: string): Promise<EventRow> {
  const event = await findEvent(db, id);
  if (!event) throw notFound("Event", id);
  if (event.deleted_at) throw deletedEvent();
  return event;
}

const DELETED = "This event was deleted: no one can be checked in or registered";
export const deletedEvent = () => conflict(DELETED);
export const isDeletedEvent = (error: unknown): boolean =>
  error instanceof ConnectError && error.rawMessage === DELETED;

/** Fields of the event row without the counts, which are derived from registrations. */
const ownFields = ({ registered: _registered, waiting: _waiting, ...fields }: EventRow) => fields;
