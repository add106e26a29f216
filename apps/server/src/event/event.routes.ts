import { create } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { EventSchema, EventService, type Event, type UpdateEventRequest } from "@followspot/contract/event";
import { audit } from "../platform/audit.ts";
import { requireCaller, type Caller } from "../platform/caller.ts";
import type { Sql, Tx } from "../platform/database.ts";
import { conflict, invalid, notFound, unimplemented } from "../platform/errors.ts";
import { decodeImage, imageUrl, removeImage, storeImage } from "../platform/images.ts";
import { postEvent } from "../platform/outbox.ts";
import { cutPage, pageRequest } from "../platform/pages.ts";
import { dateOf, timestampOf } from "../platform/timestamps.ts";
import * as events from "./events.store.ts";
import type { EventFields, EventRow } from "./events.store.ts";

export interface EventPorts {
  readonly sql: Sql;
}

export function eventRoutes({ sql }: EventPorts): (router: ConnectRouter) => void {
  return (router) =>
    router.service(EventService, {
      listEvents: async (request) => {
        const page = pageRequest(request, 2);
        if (page.after[0] !== undefined && !/^-?\d{1,15}$/.test(page.after[0])) {
          throw invalid("page_token: is not a token of this list");
        }
        const found = await events.listEvents(sql, { ...page, includeDeleted: request.includeDeleted });
        const sortKeys = (event: EventRow) => [String(event.starts_at.getTime()), event.id];
        const { rows, ...rest } = cutPage(found, page.size, sortKeys);
        return { events: rows.map(toEvent), ...rest };
      },

      getEvent: async (request) => {
        const event = await events.findEvent(sql, request.eventId);
        if (!event) throw notFound("Event", request.eventId);
        return { event: toEvent(event) };
      },

      createEvent: async (request, context) => {
        const caller = requireCaller(context);
        const fields: EventFields = {
          title: requireTitle(request.title),
          starts_at: requireTime(request.startsAt, "starts_at", "Start date/time is required"),
          ends_at: requireTime(request.endsAt, "ends_at", "End date/time is required"),
          location: request.location,
          address: request.address,
          lat: request.lat,
          lng: request.lng,
        };
        requireOrder(fields);
        const banner = request.bannerBase64 ? await decodeImage(request.bannerBase64, "banner_base64") : undefined;
        return sql.begin(async (tx) => {
          const image_id = banner && (await storeImage(tx, banner));
          const event = await events.insertEvent(tx, { ...fields, ...(image_id && { image_id }) });
          await announce(tx, caller, "created", undefined, event);
          return { event: toEvent(event) };
        });
      },

      updateEvent: async (request, context) => {
        const caller = requireCaller(context);
        const change = changeOf(request);
        const banner = request.bannerBase64 ? await decodeImage(request.bannerBase64, "banner_base64") : undefined;
        return sql.begin(async (tx) => {
          const before = await lockEvent(tx, request.eventId);
          requireOrder({ ...before, ...change });
          const image_id = banner && (await storeImage(tx, banner));
          const event = await events.updateEvent(tx, before.id, { ...change, ...(image_id && { image_id }) });
          if (image_id) await removeImage(tx, before.image_id);
          await announce(tx, caller, "updated", before, event);
          return { event: toEvent(event) };
        });
      },

      deleteEvent: async (request, context) => {
        const caller = requireCaller(context);
        await sql.begin(async (tx) => {
          const before = await lockEvent(tx, request.eventId);
          if (before.deleted_at) throw notFound("Event", request.eventId);
          const event = await events.setEventDeleted(tx, before.id, true);
          await announce(tx, caller, "deleted", before, event);
        });
        return { success: true };
      },

      restoreEvent: async (request, context) => {
        const caller = requireCaller(context);
        return sql.begin(async (tx) => {
          const before = await lockEvent(tx, request.eventId);
          if (!before.deleted_at) throw conflict("This event is not deleted");
          const event = await events.setEventDeleted(tx, before.id, false);
          await announce(tx, caller, "restored", before, event);
          return { event: toEvent(event) };
        });
      },

      uploadBanner: async (request, context) => {
        const caller = requireCaller(context);
        const banner = await decodeImage(request.bannerBase64, "banner_base64");
        return sql.begin(async (tx) => {
          const before = await lockEvent(tx, request.eventId);
          const image_id = await storeImage(tx, banner);
          const event = await events.updateEvent(tx, before.id, { image_id });
          await removeImage(tx, before.image_id);
          await announce(tx, caller, "updated", before, event);
          return { image: image_id, bannerUrl: imageUrl(image_id) };
        });
      },

      scanQr: () => {
        throw unimplemented("Check-in by code");
      },
    });
}

function toEvent(row: EventRow): Event {
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
  });
}

function changeOf(request: UpdateEventRequest): Partial<EventFields> {
  return {
    ...(request.title !== undefined && { title: requireTitle(request.title) }),
    ...(request.startsAt && { starts_at: dateOf(request.startsAt, "starts_at") }),
    ...(request.endsAt && { ends_at: dateOf(request.endsAt, "ends_at") }),
    ...(request.location !== undefined && { location: request.location }),
    ...(request.address !== undefined && { address: request.address }),
    ...(request.lat !== undefined && { lat: request.lat }),
    ...(request.lng !== undefined && { lng: request.lng }),
  };
}

function requireTitle(title: string): string {
  if (title.trim() === "") throw invalid("Title is required");
  return title;
}

function requireTime(timestamp: Timestamp | undefined, field: string, missing: string): Date {
  if (!timestamp) throw invalid(missing);
  return dateOf(timestamp, field);
}

function requireOrder(event: { readonly starts_at: Date; readonly ends_at: Date }): void {
  if (event.ends_at <= event.starts_at) throw invalid("End date must be after start date");
}

async function lockEvent(tx: Tx, id: string): Promise<EventRow> {
  const event = await events.lockEvent(tx, id);
  if (!event) throw notFound("Event", id);
  return event;
}

async function announce(
  tx: Tx,
  caller: Caller,
  verb: string,
  before: EventRow | undefined,
  after: EventRow,
): Promise<void> {
  await audit(tx, caller, `event.${verb}`, `event ${after.id}`, { before, after });
  for (const topic of ["events", `event.${after.id}`]) {
    await postEvent(tx, topic, `event.${verb}`, { event_id: after.id });
  }
}
