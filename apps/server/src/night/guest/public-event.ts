import { create } from "@bufbuild/protobuf";
import { PublicEventSchema, PublicTalkSchema, type PublicEvent } from "@followspot/contract/guest";
import { doorTimes } from "../../events/doors.ts";
import { findEvent, type EventRow, type PublicPage } from "../../events/events.store.ts";
import { isInvitation } from "../../events/invitation.ts";
import { freePlaces } from "../../events/move-up.ts";
import type { Sql } from "../../platform/database/database.ts";
import { conflict, missing } from "../../platform/errors.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { publicTalks, type PublicTalkRow } from "./public-event.store.ts";

/** Age after which a cached event is read again, ms. Changes of the event reach guests after this at the latest. */
const CACHED_MS = 5000;
const MAX_CACHED = 1000;

/** Path of the public page of an event. */
const pathOf = (eventId: string): string => `/e/${eventId}`;

export interface PublicEventPorts {
  readonly sql: Sql;
  /** Signs invitation links. */
  readonly secret: Uint8Array;
  /** Name of the community. */
  readonly community: string;
  /** See {@link CACHED_MS}; shorter in tests. */
  readonly cachedMs?: number;
}

/** Event with its talks, as read at one time; `event` is undefined if there is none. */
interface Read {
  readonly event: EventRow | undefined;
  readonly talks: readonly PublicTalkRow[];
}

/** Reads events for people without an account. Reads are cached: a thousand guests open an invitation at once. */
export class PublicEvents {
  readonly #ports: PublicEventPorts;
  readonly #cached = new Map<string, { readonly read: Promise<Read>; readonly until: number }>();

  constructor(ports: PublicEventPorts) {
    this.#ports = ports;
  }

  /** Returns an event whose page is open to everybody; undefined for any other one. */
  async open(eventId: string): Promise<PublicEvent | undefined> {
    const { event, talks } = await this.#read(eventId);
    return event?.public_page === "open" ? this.#toPublic(event, talks, false) : undefined;
  }

  /**
   * Returns an event for the holder of a key.
   *
   * @param key of the invitation link; empty for none
   * @throws not_found if the page is not for this caller, also for a missing event; failed_precondition if the key is
   *   not valid
   */
  async find(eventId: string, key: string): Promise<PublicEvent> {
    const { event, talks } = await this.#read(eventId);
    const isInvited = key !== "" && (await isInvitation(this.#ports.sql, this.#ports.secret, eventId, key));
    const page: PublicPage = event?.public_page ?? "off";
    // The same for missing events: answers to guessed keys reveal no event.
    if (key !== "" && !isInvited && page !== "open") throw conflict(REVOKED);
    if (!event || page === "off" || (page === "link" && !isInvited)) throw missing(NOT_PUBLIC);
    return this.#toPublic(event, talks, isInvited);
  }

  #read(eventId: string): Promise<Read> {
    const known = this.#cached.get(eventId);
    if (known && known.until > performance.now()) return known.read;
    this.#cached.delete(eventId);
    const oldest = this.#cached.keys().next().value;
    if (this.#cached.size >= MAX_CACHED && oldest !== undefined) this.#cached.delete(oldest);
    const { sql, cachedMs = CACHED_MS } = this.#ports;
    const read = findEvent(sql, eventId).then(async (event) => ({
      event,
      talks: event && event.public_page !== "off" ? await publicTalks(sql, eventId) : [],
    }));
    const entry = { read, until: performance.now() + cachedMs };
    this.#cached.set(eventId, entry);
    read.catch(() => this.#cached.get(eventId) === entry && this.#cached.delete(eventId));
    return read;
  }

  #toPublic(event: EventRow, talks: readonly PublicTalkRow[], isInvited: boolean): PublicEvent {
    const free = freePlaces(event);
    const hasPlace = event.lat !== 0 || event.lng !== 0;
    const { closesAt } = doorTimes(event);
    const isCanceled = event.deleted_at !== null;
    return create(PublicEventSchema, {
      id: event.id,
      title: event.title,
      community: this.#ports.community,
      startsAt: timestampOf(event.starts_at),
      endsAt: timestampOf(event.ends_at),
      timeZone: event.time_zone,
      location: event.location,
      address: event.address,
      ...(hasPlace && { lat: event.lat, lng: event.lng }),
      coverUrl: event.image_id ? `${pathOf(event.id)}/cover/${event.image_id}` : "",
      talks: talks.map(({ title, start_at }) => create(PublicTalkSchema, { title, startAt: timestampOf(start_at) })),
      registration: event.registration,
      ...(free !== null && event.registration !== "none" && { freePlaces: free }),
      waiting: event.waiting,
      state: isCanceled ? "canceled" : stateOf(event, new Date()),
      isInvited,
      takesRegistrations: !isCanceled && event.registration !== "none" && closesAt > new Date(),
    });
  }
}

const NOT_PUBLIC = "There is no public event page at this address.";
const REVOKED = "This invitation is no longer valid. Ask for a new link.";

const stateOf = ({ starts_at, ends_at }: EventRow, now: Date): string =>
  ends_at <= now ? "past" : starts_at <= now ? "on" : "upcoming";
