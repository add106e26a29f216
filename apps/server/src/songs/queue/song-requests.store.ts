import type { Db, Tx } from "../../platform/database/database.ts";
import { newId } from "../../platform/database/ids.ts";
import type { Fragment } from "../../platform/database/lists.ts";

export interface SongRequestRow {
  readonly id: string;
  readonly playlist_id: string;
  readonly state: "waiting" | "taken" | "refused";
  readonly song_id: string | null;
  readonly link: string;
  readonly note: string;
  readonly user_id: string | null;
  readonly asked_at: Date;
}

/** A request with the fields that users read. */
export interface NamedSongRequestRow extends SongRequestRow {
  readonly title: string | null;
  readonly artist: string | null;
  readonly user_name: string | null;
  readonly is_ready: boolean;
  /** Reason the song cannot be played, from its row. */
  readonly fault: string;
}

/** Hours a request is listed: a night and the morning after. A request undecided by then must be made again. */
const TOLD_HOURS = 24;
/** Most requests in one list; users do not read more. */
const MOST_TOLD = 200;

export const insertRequest = async (tx: Tx, row: Omit<SongRequestRow, "id" | "note" | "asked_at">): Promise<string> => {
  const id = newId();
  await tx`insert into song_requests ${tx({ id, ...row })}`;
  return id;
};

/** Locks the request until the transaction ends, so that it is decided once. */
export async function lockRequest(tx: Tx, id: string): Promise<SongRequestRow | undefined> {
  const [row] = await tx<SongRequestRow[]>`select * from song_requests where id = ${id} for update`;
  return row;
}

export async function findRequest(db: Db, id: string): Promise<NamedSongRequestRow | undefined> {
  const [row] = await read(db, db`request.id = ${id}`);
  return row;
}

/**
 * Returns the requests of the last day, waiting ones first, then the newest.
 * @param userId of the requester; null for all users
 */
export const recentRequests = (db: Db, userId: string | null): Promise<NamedSongRequestRow[]> =>
  read(
    db,
    db`request.asked_at > now() - make_interval(hours => ${TOLD_HOURS})
      and ${userId === null ? db`true` : db`request.user_id = ${userId}`}`,
  );

const read = (db: Db, condition: Fragment): Promise<NamedSongRequestRow[]> => db<NamedSongRequestRow[]>`
  select request.*, songs.title, songs.artist, users.name as user_name,
    coalesce(songs.deleted_at is null and songs.lighting_status = 'ready', false) as is_ready,
    case when songs.deleted_at is not null then 'The song was deleted' else coalesce(songs.error_message, '') end as fault
  from song_requests request
    left join songs on songs.id = request.song_id
    left join users on users.id = request.user_id
  where ${condition}
  order by (request.state = 'waiting') desc, request.id desc limit ${MOST_TOLD}`;

/**
 * Whether the user is already waiting for the same song.
 * @param what song ID or link
 */
export async function waitsFor(db: Db, playlistId: string, userId: string, what: string): Promise<boolean> {
  const found = await db`
    select from song_requests
    where state = 'waiting' and (playlist_id, user_id) = (${playlistId}, ${userId})
      and coalesce(song_id, link) = ${what} and asked_at > now() - make_interval(hours => ${TOLD_HOURS})`;
  return found.count > 0;
}

/** Counts the songs a user requested in the last hours, without refused and withdrawn requests. */
export async function countAsked(db: Db, userId: string, hours: number): Promise<number> {
  const [row] = await db<{ asked: number }[]>`
    select count(*)::int as asked from song_requests
    where user_id = ${userId} and state <> 'refused' and asked_at > now() - make_interval(hours => ${hours})`;
  return row?.asked ?? 0;
}

/** Returns the seconds until the oldest request counted by {@link countAsked} no longer counts. */
export async function secondsUntilOneLess(db: Db, userId: string, hours: number): Promise<number> {
  const [row] = await db<{ seconds: number | null }[]>`
    select ceil(extract(epoch from min(asked_at) + make_interval(hours => ${hours}) - now()))::int as seconds
    from song_requests
    where user_id = ${userId} and state <> 'refused' and asked_at > now() - make_interval(hours => ${hours})`;
  return row?.seconds ?? 0;
}

export async function decideRequest(
  tx: Tx,
  id: string,
  decision: Pick<SongRequestRow, "state" | "song_id" | "note">,
): Promise<void> {
  await tx`update song_requests set ${tx(decision)} where id = ${id}`;
}

export async function removeRequest(tx: Tx, id: string): Promise<void> {
  await tx`delete from song_requests where id = ${id}`;
}

/** Returns the playlist that accepts requests. */
export async function playlistForRequests(
  db: Db,
): Promise<{ readonly id: string; readonly requests: "ask" | "open" } | undefined> {
  const [row] = await db<{ id: string; requests: "ask" | "open" }[]>`
    select id, requests from playlists where requests <> 'closed'`;
  return row;
}

export async function setRequests(tx: Tx, playlistId: string, requests: string): Promise<void> {
  await tx`update playlists set requests = ${requests} where id = ${playlistId}`;
}
