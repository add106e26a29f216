import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { RegistrationSchema, type EventService, type Registration } from "@followspot/contract/event";
import { ListQuerySchema } from "@followspot/contract/list";
import { requireCaller, type Caller } from "../platform/caller.ts";
import { change, done, type Entry } from "../platform/database/change.ts";
import type { Db, Sql, Tx } from "../platform/database/database.ts";
import { conflict, denied, notFound } from "../platform/errors.ts";
import { newLinkSeed } from "../platform/http/link-key.ts";
import { countRows, readPage } from "../platform/database/lists.ts";
import { timestampOf } from "../platform/database/timestamps.ts";
import type { Attendee } from "./attendee-codes.ts";
import { findCheckIn, holdPerson } from "./check-ins.store.ts";
import { countedEntry, deletedEvent, requireEvent } from "./event-message.ts";
import { findEvent, holdEvent, type EventRow } from "./events.store.ts";
import { invitationPath } from "./invitation.ts";
import { enterList, requireMayRegister } from "./enter-list.ts";
import { freePlaces, moveUp, registrationEntry } from "./move-up.ts";
import * as registrations from "./registrations.store.ts";
import type { NamedRegistrationRow } from "./registrations.store.ts";

type RegistrationMethod =
  | "register"
  | "cancelRegistration"
  | "getMyRegistration"
  | "registerPerson"
  | "listRegistrations"
  | "countRegistrations"
  | "getEventInvitation"
  | "renewEventInvitation";

export interface RegistrationPorts {
  readonly sql: Sql;
  /** At least 32 bytes; the keys of attendee codes and invitations are derived from it. */
  readonly secret: Uint8Array;
  /** Why no new guest can use an invitation link; empty if they can. */
  readonly linkWarning: () => Promise<string>;
  /** Removes the votes of a user who canceled, and returns what to publish. */
  readonly withdrawVotes: (tx: Tx, eventId: string, userId: string) => Promise<readonly Entry[]>;
}

/**
 * Returns the RPC methods for registrations and the waitlist. Lock order: user, event. The event lock keeps the
 * waitlist in order of request.
 */
export function registrationMethods({
  sql,
  secret,
  linkWarning,
  withdrawVotes,
}: RegistrationPorts): Required<Pick<ServiceImpl<typeof EventService>, RegistrationMethod>> {
  return {
    register: ({ eventId, invitation }, context) => {
      const caller = requireCaller(context);
      return change(sql, caller, async (tx) => {
        await holdPerson(tx, caller.userId);
        const event = await holdListed(tx, eventId);
        const attendee = { eventId, userId: caller.userId };
        const stands = await registrations.findRegistration(tx, attendee);
        if (stands) return done({ registration: toRegistration(stands) });
        await requireMayRegister(tx, secret, event, invitation);
        return enter(tx, event, caller, attendee, freePlaces(event) !== 0);
      });
    },

    cancelRegistration: ({ eventId, userId: asked }, context) => {
      const caller = requireCaller(context);
      const userId = asked || caller.userId;
      const isOwn = userId === caller.userId;
      if (!isOwn && !caller.roles.some((role) => role === "Admin" || role === "Director")) throw denied();
      return change<{ success: boolean }>(sql, caller, async (tx) => {
        if (!(await holdPerson(tx, userId))) throw notFound("User", userId);
        await holdListed(tx, eventId);
        if (await findCheckIn(tx, { eventId, userId }))
          throw conflict("This person is checked in already: undo the check-in first");
        const row = await registrations.removeRegistration(tx, { eventId, userId });
        if (!row) return done({ success: false });
        const moved = await moveUp(tx, (await findEvent(tx, eventId))!); // the row is locked
        const withdrawn = await withdrawVotes(tx, eventId, userId);
        const cancelled = { ...registrationEntry("cancelled", row, undefined), isMembersOwn: isOwn };
        return done({ success: true }, cancelled, ...moved, ...withdrawn, await countedEntry(tx, eventId));
      });
    },

    getMyRegistration: async ({ eventId }, context) => {
      await requireEvent(sql, eventId);
      const row = await registrations.findRegistration(sql, { eventId, userId: requireCaller(context).userId });
      return row ? { registration: toRegistration(row) } : {};
    },

    registerPerson: ({ eventId, userId, overPlaces }, context) => {
      const caller = requireCaller(context);
      return change(sql, caller, async (tx) => {
        const person = await holdPerson(tx, userId);
        if (!person || person.is_script) throw notFound("User", userId);
        if (person.deleted_at) throw conflict("This person was deleted: restore them first");
        const event = await holdListed(tx, eventId);
        const attendee = { eventId, userId };
        const stands = await registrations.findRegistration(tx, attendee);
        if (!stands) return enter(tx, event, caller, attendee, overPlaces || freePlaces(event) !== 0);
        if (stands.state === "registered" || !overPlaces) return done({ registration: toRegistration(stands) });
        const { user_name: _name, place_in_line: _place, checked_in_at: _at, ...before } = stands;
        const moved = registrationEntry("moved_up", before, await registrations.givePlace(tx, stands.id));
        const row = (await registrations.findRegistration(tx, attendee))!; // it exists at this point
        return done({ registration: toRegistration(row) }, moved, await countedEntry(tx, eventId));
      });
    },

    listRegistrations: async ({ eventId, list }) => {
      await requireEvent(sql, eventId);
      const { rows, nextPageToken } = await readPage<NamedRegistrationRow>(
        sql,
        registrations.REGISTRATION_LIST,
        list ?? create(ListQuerySchema),
        ofEvent(eventId),
      );
      return { registrations: rows.map(toRegistration), nextPageToken };
    },

    countRegistrations: async ({ eventId, query }) => {
      await requireEvent(sql, eventId);
      return { counts: await countRows(sql, registrations.REGISTRATION_LIST, query, ofEvent(eventId)) };
    },

    getEventInvitation: async ({ eventId }) => {
      await requireEvent(sql, eventId);
      const seed = await registrations.findInvitation(sql, eventId);
      return { path: seed ? invitationPath(secret, eventId, seed) : "", warning: await linkWarning() };
    },

    renewEventInvitation: ({ eventId }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        if (!(await holdEvent(tx, eventId))) throw await noEvent(tx, eventId);
        const seed = newLinkSeed();
        await registrations.renewInvitation(tx, eventId, seed);
        const entry = { noun: "event_invitation", id: eventId, verb: "renewed", payload: { event_id: eventId } };
        return done({ path: invitationPath(secret, eventId, seed), warning: await linkWarning() }, entry);
      }),
  };

  /** Adds a user to the list of a locked event. */
  async function enter(tx: Tx, event: EventRow, caller: Caller, attendee: Attendee, hasPlace: boolean) {
    const entries = await enterList(tx, event, attendee.userId, {
      hasPlace,
      isOwn: attendee.userId === caller.userId,
    });
    const row = (await registrations.findRegistration(tx, attendee))!; // just created
    return done({ registration: toRegistration(row) }, ...entries);
  }

  function ofEvent(eventId: string) {
    return sql`registrations.event_id = ${eventId} and users.deleted_at is null`;
  }
}

/**
 * Locks an event with a registration list. @throws not_found; failed_precondition if it was deleted or requires no
 * registration
 */
async function holdListed(db: Db, eventId: string): Promise<EventRow> {
  const event = await holdEvent(db, eventId);
  if (!event) throw await noEvent(db, eventId);
  if (event.registration === "none")
    throw conflict("This event asks for no registration: everybody of the community may come");
  return event;
}

const noEvent = async (db: Db, eventId: string) =>
  (await findEvent(db, eventId)) ? deletedEvent() : notFound("Event", eventId);

function toRegistration(row: NamedRegistrationRow): Registration {
  return create(RegistrationSchema, {
    eventId: row.event_id,
    userId: row.user_id,
    userName: row.user_name,
    state: row.state,
    placeInLine: row.place_in_line,
    registeredAt: timestampOf(row.registered_at),
    ...(row.checked_in_at && { checkedInAt: timestampOf(row.checked_in_at) }),
  });
}
