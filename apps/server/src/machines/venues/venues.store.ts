import type { BoxHello, BoxHolds, RigCopy } from "@followspot/contract";
import { asJson, type Db, type Tx } from "../../platform/database/database.ts";
import type { TonightOf } from "./tonight.ts";

/** Row of `venues`, without its token and its rig. */
export interface VenueRow {
  readonly id: string;
  readonly name: string;
  readonly added_by: string | null;
  /** Null once that user is purged. */
  readonly added_by_name: string | null;
  readonly added_at: Date;
  readonly event_id: string | null;
  readonly event_title: string | null;
  /** Events whose check-ins its server may report: the current one, and earlier ones that the server may still hold. */
  readonly event_ids: readonly string[];
  readonly playlist_ids: readonly string[];
  /** Null before the first start of its venue server. */
  readonly seen_at: Date | null;
  /** Whether the venue server sent a hello within {@link AWAY_SECONDS}. */
  readonly is_here: boolean;
  readonly instance: string;
  readonly version: string;
  readonly migration: string;
  readonly holds: BoxHolds | null;
  readonly has_rig: boolean;
  /** Whether its server is the standby of this machine. On a venue server, the standby's snapshot is its own. */
  readonly is_standby: boolean;
}

/** Age of the last hello after which a venue server counts as offline, s; three hello intervals. */
const AWAY_SECONDS = 15;

const columns = (db: Db) => db`
  v.id, v.name, v.added_by, u.name as added_by_name, v.added_at, e.id as event_id, e.title as event_title, v.event_ids,
  v.seen_at, v.instance, v.version, v.migration, v.holds, v.rig is not null as has_rig, v.is_standby,
  coalesce(v.seen_at > now() - make_interval(secs => ${AWAY_SECONDS}), false) as is_here,
  case when v.is_standby and v.event_id is null
    then array(select key from box_held where place = 'playlists' order by key)
    else array(select playlist_id from venue_playlists where venue_id = v.id order by playlist_id) end as playlist_ids`;
const table = (db: Db) => db`
  venues v left join users u on u.id = v.added_by left join events e
    on e.id = coalesce(v.event_id, case when v.is_standby then (select event_id from box) end) and e.deleted_at is null`;

/** Returns the venue with a token, unless it was revoked. */
export async function findVenueByToken(db: Db, tokenHash: string): Promise<VenueRow | undefined> {
  const [row] = await db<VenueRow[]>`
    select ${columns(db)} from ${table(db)} where v.token_hash = ${tokenHash} and v.revoked_at is null`;
  return row;
}

/** Locks a venue until the transaction ends; undefined if there is none or it was revoked. */
export async function lockVenue(tx: Tx, id: string): Promise<VenueRow | undefined> {
  const [row] = await tx<VenueRow[]>`
    select ${columns(tx)} from ${table(tx)} where v.id = ${id} and v.revoked_at is null for update of v`;
  return row;
}

/** Returns the venues that were not revoked, by name. */
export async function listVenues(db: Db): Promise<readonly VenueRow[]> {
  return db<VenueRow[]>`
    select ${columns(db)} from ${table(db)} where v.revoked_at is null order by lower(v.name), v.id`;
}

/** @returns false if the name is taken */
export async function insertVenue(
  tx: Tx,
  venue: {
    readonly id: string;
    readonly name: string;
    readonly tokenHash: string;
    readonly addedBy: string;
    readonly isStandby: boolean;
  },
): Promise<boolean> {
  const made = await tx`
    insert into venues (id, name, token_hash, added_by, is_standby)
    values (${venue.id}, ${venue.name}, ${venue.tokenHash}, ${venue.addedBy}, ${venue.isStandby})
    on conflict (lower(name), community_id) where revoked_at is null do nothing`;
  return made.count === 1;
}

export async function revokeVenue(tx: Tx, id: string): Promise<void> {
  await tx`update venues set revoked_at = now(), rig = null where id = ${id}`;
}

/** @param of null if no event is on there */
export async function setTonight(tx: Tx, id: string, of: TonightOf | null): Promise<void> {
  await tx`update venues set event_id = ${of?.eventId ?? null} where id = ${id}`;
  if (of)
    await tx`
      update venues set event_ids = event_ids || ${of.eventId}::text
      where id = ${id} and not event_ids @> array[${of.eventId}]`;
  await tx`delete from venue_playlists where venue_id = ${id}`;
  await tx`
    insert into venue_playlists (venue_id, playlist_id)
    select ${id}, id from playlists where id = any(${[...(of?.playlistIds ?? [])]})`;
}

/**
 * Stores what a venue server reports about itself. Its first hello takes the token from the process that had it. A server that
 * holds the current event and has nothing left to sync may not report earlier events again.
 */
export async function storeBoxHello(db: Db, id: string, instance: string, hello: BoxHello): Promise<void> {
  const { version, migration, holds } = hello;
  await db`
    update venues set seen_at = now(), instance = ${instance}, version = ${version}, migration = ${migration},
      holds = ${asJson(db, holds)},
      event_ids = case when event_id = ${holds.event_id} and ${holds.waiting === 0} then array[event_id] else event_ids end
    where id = ${id}`;
}

export async function storeRig(db: Db, id: string, rig: RigCopy): Promise<void> {
  await db`update venues set rig = ${asJson(db, rig)}, rig_at = now() where id = ${id}`;
}

export async function findRig(db: Db, id: string): Promise<RigCopy | null> {
  const [row] = await db<{ rig: RigCopy | null }[]>`select rig from venues where id = ${id}`;
  return row?.rig ?? null;
}
