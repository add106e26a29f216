import type { Db, Tx } from "../../platform/database/database.ts";
import { newId } from "../../platform/database/ids.ts";
import type { Fragment } from "../../platform/database/lists.ts";
import type { NextQueue, QueueRow } from "./show-queue.store.ts";

/** Hours before the start and after the end of an event during which a played song still counts for it. */
const AROUND_EVENT_HOURS = 2;
/** Upper bound for a position that means "to the end", s: no song is longer than a day. */
const LONGEST = 86_400;

/**
 * Records what was played, in the transaction that changes the queue.
 * @param heardTo song position up to which the previous song was played, s; a value beyond its end means to its end
 */
export async function notePlayed(tx: Tx, before: QueueRow, next: NextQueue, heardTo: number): Promise<void> {
  if (before.mode === "playing" && before.started_at) await closeStretch(tx, before.turn, before.started_at, heardTo);
  const goesOn = next.turn === before.turn && next.mode !== "stopped";
  // A song that was skipped before its first second does not count as played.
  if (!goesOn) await tx`delete from played_songs where turn = ${before.turn.toString()} and heard_seconds = 0`;
  if (next.mode !== "playing" || next.song_id === null || !next.started_at || !next.ends_at) return;
  if (!goesOn) return insertPlayed(tx, next.turn, next.song_id, next.playlist_id, next.started_at, next.ends_at);
  const from = Math.max(0, (before.now.getTime() - next.started_at.getTime()) / 1000);
  await tx`update played_songs set heard_from = ${from} where turn = ${next.turn.toString()}`;
}

async function closeStretch(tx: Tx, turn: bigint, startedAt: Date, heardTo: number): Promise<void> {
  const to = Math.min(heardTo, LONGEST);
  await tx`
    update played_songs set
      heard_seconds = heard_seconds + greatest(0, least(${to}, seconds) - heard_from),
      ended_at = greatest(ended_at, ${startedAt}::timestamptz + make_interval(secs => least(${to}, seconds))),
      heard_from = null
    where turn = ${turn.toString()} and heard_from is not null`;
}

/** Sets the song position at which a turn starts, for a song that does not start at its beginning. */
export async function setPlayStart(tx: Tx, turn: bigint, seconds: number): Promise<void> {
  await tx`update played_songs set heard_from = ${seconds} where turn = ${turn.toString()}`;
}

/**
 * Adds playing time to a song that a player continued while the queue was held.
 * @param to song position, s; a value beyond the end means to the end
 * @param until when it was last played
 */
export async function addHeard(tx: Tx, turn: bigint, from: number, to: number, until: Date): Promise<void> {
  await tx`
    update played_songs set
      heard_seconds = heard_seconds + greatest(0, least(${Math.min(to, LONGEST)}, seconds) - ${from}::float8),
      ended_at = greatest(ended_at, ${until})
    where turn = ${turn.toString()}`;
}

async function insertPlayed(
  tx: Tx,
  turn: bigint,
  songId: string,
  playlistId: string | null,
  startedAt: Date,
  endsAt: Date,
): Promise<void> {
  const around = tx`make_interval(hours => ${AROUND_EVENT_HOURS})`;
  const seconds = (endsAt.getTime() - startedAt.getTime()) / 1000;
  await tx`
    insert into played_songs (id, turn, song_id, title, artist, seconds, started_at, ended_at, heard_from, playlist, event_id,
      asked_by)
    select ${newId()}, ${turn.toString()}, songs.id, songs.title, songs.artist, ${seconds}, ${startedAt}, ${startedAt}, 0,
      coalesce((select name from playlists where id = ${playlistId}), ''),
      (
        select id from events
        where deleted_at is null and starts_at - ${around} <= ${startedAt} and ends_at + ${around} > ${startedAt}
        -- The one that is on, else the nearest.
        order by greatest(starts_at - ${startedAt}::timestamptz, ${startedAt}::timestamptz - ends_at, interval '0'), starts_at, id
        limit 1
      ),
      (
        select user_id from song_requests
        where playlist_id = ${playlistId} and song_id = songs.id and state = 'taken' order by id limit 1
      )
    from songs where songs.id = ${songId}`;
}

/**
 * Returns the seconds of a played song without confirmed sound: the sound faults between its start and end. Songs
 * reported by a venue server already exclude them.
 * @param endedAt end of the song, or now while it is playing
 */
export const silentSeconds = (db: Db, endedAt: Fragment): Fragment => db`(
  select coalesce(sum(extract(epoch from
    least(coalesce(fault.ended_at, clock_timestamp()), ${endedAt}) - greatest(fault.began_at, played.started_at))), 0)::float8
  from night_faults fault
  where fault.kind = 'sound' and played.venue_id is null and fault.began_at < ${endedAt}
    and coalesce(fault.ended_at, clock_timestamp()) > played.started_at)`;

export interface PlayedSongRow {
  readonly id: string;
  readonly song_id: string;
  readonly title: string;
  readonly artist: string;
  readonly seconds: number;
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly heard_seconds: number;
  readonly is_on: boolean;
  readonly playlist: string;
  readonly asked_by: string | null;
}

/**
 * Returns the songs of an event in playing order, including the song that is playing now.
 * @param most largest number of songs
 */
export function playedOf(db: Db, eventId: string, most: number): Promise<readonly PlayedSongRow[]> {
  return db<PlayedSongRow[]>`
    select played.id, played.song_id, played.title, played.artist, played.seconds, played.started_at,
      case when is_on then least(clock_timestamp(), played.started_at + make_interval(secs => played.seconds))
        else played.ended_at end as ended_at,
      greatest(0, played.heard_seconds + case when is_on and played.heard_from is not null then
        greatest(0, least(played.seconds, extract(epoch from clock_timestamp() - queue.started_at)::float8) - played.heard_from)
        else 0 end
        - ${silentSeconds(db, db`case when is_on then clock_timestamp() else played.ended_at end`)}) as heard_seconds,
      is_on, played.playlist, users.name as asked_by
    from played_songs played
      left join users on users.id = played.asked_by
      left join show_queue queue on queue.turn = played.turn,
      lateral (select coalesce(queue.mode, '') = 'playing' as is_on) state
    where played.event_id = ${eventId}
    order by played.started_at, played.id
    limit ${most}`;
}
