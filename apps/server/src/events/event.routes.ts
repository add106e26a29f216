import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import type { MusicDuringTalks } from "@followspot/contract";
import { EventService, type ListEventsRequest, type UpdateEventRequest } from "@followspot/contract/event";
import { requireCaller } from "../platform/caller.ts";
import { change, done } from "../platform/database/change.ts";
import type { Tx } from "../platform/database/database.ts";
import { conflict, denied, invalid, notFound } from "../platform/errors.ts";
import { decodeImage, imageUrl, removeImage, storeImage } from "../platform/pictures/images.ts";
import { requireUnchanged } from "../platform/database/if-unchanged.ts";
import { mapInSlices } from "../platform/http/in-slices.ts";
import { countRows, listQueryOf, readAll, readPage } from "../platform/database/lists.ts";
import { dateOf } from "../platform/database/timestamps.ts";
import { checkInMethods } from "./check-in.routes.ts";
import { duplicateEvent, type CopyTalks } from "./duplicate-event.ts";
import { eventEntry, toEvent } from "./event-message.ts";
import { requireOrder, requireTime, requireTitle, requireZone } from "./event-rules.ts";
import * as events from "./events.store.ts";
import type { EventFields, EventRow, PublicPage, RegistrationMode } from "./events.store.ts";
import { moveUp } from "./move-up.ts";
import { listPersonEvents } from "./person-events.ts";
import { registrationMethods, type RegistrationPorts } from "./registration.routes.ts";
import { ensureInvitation } from "./registrations.store.ts";

export interface EventPorts extends RegistrationPorts {
  readonly copyTalks: CopyTalks;
}

export function eventRoutes({
  sql,
  secret,
  copyTalks,
  linkWarning,
  withdrawVotes,
}: EventPorts): (router: ConnectRouter) => void {
  const rangeOf = ({ onFrom, onUntil }: ListEventsRequest) => {
    const from = onFrom && dateOf(onFrom, "onFrom");
    const until = onUntil && dateOf(onUntil, "onUntil");
    if (from && until && until <= from) throw invalid("onUntil: must be later than onFrom");
    return events.isOnBetween(sql, from, until);
  };
  return (router) =>
    router.service(EventService, {
      listEvents: async (request, context) => {
        const query = listQueryOf(request);
        if (request.includeDeleted || query?.filter === "deleted") requireAdmin(context);
        const isHidden = !request.includeDeleted && !query?.filter;
        const scope = sql`${isHidden ? sql`deleted_at is null` : sql`true`} and ${rangeOf(request)}`;
        if (query) {
          const { rows, nextPageToken } = await readPage<EventRow>(sql, events.EVENT_LIST, query, scope);
          return { events: rows.map(toEvent), nextPageToken };
        }
        const rows = await readAll<EventRow>(sql, events.EVENT_LIST, scope);
        return { events: await mapInSlices(rows, toEvent), totalSize: rows.length };
      },

      countEvents: async (request) => ({ counts: await countRows(sql, events.EVENT_LIST, request.query) }),

      getEvent: async (request, context) => {
        const event = await events.findEvent(sql, request.eventId);
        const isVisible = event && (!event.deleted_at || requireCaller(context).roles.includes("Admin"));
        if (!isVisible) throw notFound("Event", request.eventId);
        return { event: toEvent(event) };
      },

      listPersonEvents: (request) => listPersonEvents(sql, request),

      createEvent: async (request, context) => {
        const fields: EventFields = {
          title: requireTitle(request.title),
          starts_at: requireTime(request.startsAt, "startsAt", "Start date/time is required"),
          ends_at: requireTime(request.endsAt, "endsAt", "End date/time is required"),
          location: request.location,
          address: request.address,
          lat: request.lat,
          lng: request.lng,
          places: request.places ?? 0,
          registration: (request.registration ?? "none") as RegistrationMode, // checked by the contract
          doors_open_at: request.doorsOpenAt ? dateOf(request.doorsOpenAt, "doorsOpenAt") : null,
          doors_close_at: request.doorsCloseAt ? dateOf(request.doorsCloseAt, "doorsCloseAt") : null,
          time_zone: requireZone(request.timeZone ?? ""),
          music_during_talks: (request.musicDuringTalks ?? "pauses") as MusicDuringTalks, // checked by the contract
          public_page: (request.publicPage ?? "link") as PublicPage, // checked by the contract
        };
        requireOrder(fields);
        const banner = request.bannerBase64 ? await decodeImage(request.bannerBase64, "bannerBase64") : undefined;
        return change(sql, requireCaller(context), async (tx) => {
          const image_id = banner && (await storeImage(tx, banner));
          const event = await events.insertEvent(tx, { ...fields, ...(image_id && { image_id }) });
          await ensureInvitation(tx, event);
          return done({ event: toEvent(event) }, eventEntry("created", undefined, event));
        });
      },

      duplicateEvent: (request, context) => duplicateEvent({ sql, copyTalks }, request, requireCaller(context)),

      updateEvent: async (request, context) => {
        const caller = requireCaller(context);
        const asked = changeOf(request);
        const banner = request.bannerBase64 ? await decodeImage(request.bannerBase64, "bannerBase64") : undefined;
        return change(sql, caller, async (tx) => {
          const before = await lockEvent(tx, request.eventId);
          await requireUnchanged(tx, caller, { ...before, noun: "event", word: "event" }, request.ifUpdatedAt);
          requireOrder({ ...before, ...asked });
          const image_id = banner && (await storeImage(tx, banner));
          const updated = await events.updateEvent(tx, before.id, { ...asked, ...(image_id && { image_id }) });
          if (image_id) await removeImage(tx, before.image_id);
          await ensureInvitation(tx, updated);
          const { event, moved } = await fill(tx, updated);
          return done({ event: toEvent(event) }, eventEntry("updated", before, event), ...moved);
        });
      },

      deleteEvent: (request, context) =>
        change(sql, requireCaller(context), async (tx) => {
          const before = await lockEvent(tx, request.eventId);
          if (before.deleted_at) throw notFound("Event", request.eventId);
          const event = await events.setEventDeleted(tx, before.id, true);
          return done({ success: true }, eventEntry("deleted", before, event));
        }),

      restoreEvent: (request, context) =>
        change(sql, requireCaller(context), async (tx) => {
          const before = await lockEvent(tx, request.eventId);
          if (!before.deleted_at) throw conflict("This event is not deleted");
          // Spots that became free while the event was deleted go to the waitlist.
          const { event, moved } = await fill(tx, await events.setEventDeleted(tx, before.id, false));
          return done({ event: toEvent(event) }, eventEntry("restored", before, event), ...moved);
        }),

      uploadBanner: async (request, context) => {
        const banner = await decodeImage(request.bannerBase64, "bannerBase64");
        return change(sql, requireCaller(context), async (tx) => {
          const before = await lockEvent(tx, request.eventId);
          const image_id = await storeImage(tx, banner);
          const event = await events.updateEvent(tx, before.id, { image_id });
          await removeImage(tx, before.image_id);
          return done({ image: image_id, bannerUrl: imageUrl(image_id) }, eventEntry("updated", before, event));
        });
      },

      ...checkInMethods(sql, secret),
      ...registrationMethods({ sql, secret, linkWarning, withdrawVotes }),
    });
}

function changeOf(request: UpdateEventRequest): Partial<EventFields> {
  return {
    ...(request.title !== undefined && { title: requireTitle(request.title) }),
    ...(request.startsAt && { starts_at: dateOf(request.startsAt, "startsAt") }),
    ...(request.endsAt && { ends_at: dateOf(request.endsAt, "endsAt") }),
    ...(request.location !== undefined && { location: request.location }),
    ...(request.address !== undefined && { address: request.address }),
    ...(request.lat !== undefined && { lat: request.lat }),
    ...(request.lng !== undefined && { lng: request.lng }),
    ...(request.places !== undefined && { places: request.places }),
    ...(request.registration !== undefined && { registration: request.registration as RegistrationMode }), // checked by the contract
    ...(request.doorsOpenAt && { doors_open_at: dateOf(request.doorsOpenAt, "doorsOpenAt") }),
    ...(request.doorsCloseAt && { doors_close_at: dateOf(request.doorsCloseAt, "doorsCloseAt") }),
    ...(request.timeZone !== undefined && { time_zone: requireZone(request.timeZone) }),
    ...(request.musicDuringTalks !== undefined && { music_during_talks: request.musicDuringTalks as MusicDuringTalks }), // checked by the contract
    ...(request.publicPage !== undefined && { public_page: request.publicPage as PublicPage }), // checked by the contract
    ...(request.usualOpening && { doors_open_at: null }),
    ...(request.usualClosing && { doors_close_at: null }),
  };
}

async function lockEvent(tx: Tx, id: string): Promise<EventRow> {
  const event = await events.lockEvent(tx, id);
  if (!event) throw notFound("Event", id);
  return event;
}

/** Moves attendees up from the waitlist. @returns the event afterwards */
async function fill(tx: Tx, event: EventRow) {
  const moved = await moveUp(tx, event);
  return { event: moved.length > 0 ? (await events.findEvent(tx, event.id))! : event, moved }; // the row is locked
}

/** Restricts deleted events to Admins, who can restore them. @throws permission_denied */
function requireAdmin(context: HandlerContext): void {
  if (!requireCaller(context).roles.includes("Admin")) throw denied();
}
