import { EVENT_LIST, type EventRow } from "../../events/events.store.ts";
import { inOrder } from "../../songs/queue/playlists.store.ts";
import type { Db } from "../../platform/database/database.ts";
import type { Fragment } from "../../platform/database/lists.ts";

/** Event with the time of the attendee's check-in. */
export interface GuestEventRow extends EventRow {
  readonly checked_in_at: Date | null;
}

export interface GuestTalkRow {
  readonly id: string;
  readonly title: string;
  readonly speaker: string | null;
  readonly start_at: Date | null;
  readonly points: number;
  readonly voted: boolean;
  readonly has_feedback: boolean;
  readonly rating: number;
  readonly is_on: boolean;
}

export interface GuestSongRow {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
  readonly has_cover: boolean;
  readonly votes: number;
  readonly voted: boolean;
  readonly asked_by: string | null;
  readonly is_ready: boolean;
  readonly is_fixed: boolean;
}

/** Limits: more would not fit on a phone. */
const MOST_EVENTS = 10;
const MOST_TALKS = 100;
const MOST_SONGS = 50;

/** Current events, followed by upcoming ones by start. */
export const eventsAhead = (db: Db, userId: string): Promise<GuestEventRow[]> =>
  readEvents(db, userId, db`events.ends_at > now()`);

/** Returns one event, also after it has ended; undefined for a deleted one. */
export async function findGuestEvent(db: Db, id: string, userId: string): Promise<GuestEventRow | undefined> {
  const [row] = await readEvents(db, userId, db`events.id = ${id}`);
  return row;
}

const readEvents = (db: Db, userId: string, condition: Fragment): Promise<GuestEventRow[]> => db<GuestEventRow[]>`
  select ${EVENT_LIST.columns(db)}, mine.checked_in_at
  from ${EVENT_LIST.from(db)} left join check_ins mine on mine.event_id = events.id and mine.user_id = ${userId}
  where events.deleted_at is null and ${condition}
  order by events.starts_at, events.id limit ${MOST_EVENTS}`;

/** Talks of an event by start, with the attendee's vote and feedback. */
export function talksFor(db: Db, eventId: string, userId: string): Promise<GuestTalkRow[]> {
  return db<GuestTalkRow[]>`
    select talk.id, talk.title, speaker.name as speaker, talk.start_at, talk.points,
      vote.user_id is not null as voted, said.user_id is not null as has_feedback, coalesce(said.rating, 0) as rating,
      screen.talk_id is not null as is_on
    from talks talk
      left join users speaker on speaker.id = talk.user_id
      left join talk_votes vote on vote.talk_id = talk.id and vote.user_id = ${userId}
      left join talk_feedback said on said.talk_id = talk.id and said.user_id = ${userId}
      left join stage_screens screen on screen.event_id = talk.event_id and screen.talk_id = talk.id
    where talk.event_id = ${eventId} and talk.deleted_at is null
    order by coalesce(talk.start_at, 'infinity'), talk.id limit ${MOST_TALKS}`;
}

/**
 * Songs of a playlist that can play and have not played in a run, in playing order, with the attendee's votes and the requesters.
 */
export function songsFor(db: Db, playlistId: string, run: bigint, userId: string): Promise<GuestSongRow[]> {
  return db<GuestSongRow[]>`
    select ${songColumns(db, userId)}
    from playlist_songs place join songs song on song.id = place.song_id and song.deleted_at is null
    where place.playlist_id = ${playlistId} and place.played_in <> ${run.toString()}
      and song.analysis_status <> 'error' and song.lighting_status <> 'error'
    order by ${inOrder(db)} limit ${MOST_SONGS}`;
}

/** Returns the songs of a playlist that were played in a run. */
export async function playedIn(db: Db, playlistId: string, run: bigint): Promise<readonly string[]> {
  const rows = await db<{ song_id: string }[]>`
    select song_id from playlist_songs where playlist_id = ${playlistId} and played_in = ${run.toString()}`;
  return rows.map(({ song_id }) => song_id);
}

/** Returns the current song, with its votes if it plays from a playlist. */
export async function playingFor(
  db: Db,
  songId: string,
  playlistId: string | null,
  userId: string,
): Promise<GuestSongRow | undefined> {
  const [row] = await db<GuestSongRow[]>`
    select ${songColumns(db, userId)}
    from songs song left join playlist_songs place on place.song_id = song.id and place.playlist_id = ${playlistId}
    where song.id = ${songId}`;
  return row;
}

const songColumns = (db: Db, userId: string) => db`
  song.id, song.title, song.artist, song.has_cover, song.lighting_status = 'ready' as is_ready,
  coalesce(place.votes, 0) as votes, place.rank is not null as is_fixed,
  exists (
    select from playlist_votes vote
    where (vote.playlist_id, vote.song_id, vote.user_id) = (place.playlist_id, song.id, ${userId})
  ) as voted,
  (
    select users.name from song_requests request join users on users.id = request.user_id
    where request.playlist_id = place.playlist_id and request.song_id = song.id and request.state = 'taken'
      and users.deleted_at is null
    order by request.id limit 1
  ) as asked_by`;
