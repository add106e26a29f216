import type { Db, Tx } from "../../platform/database/database.ts";

export interface PlaylistRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  /** Seconds between two songs; below 0, both play together for that long. */
  readonly gap_seconds: number;
  /** Duration of the fade between a song and the default look, s. */
  readonly fade_seconds: number;
  /** Handling of songs that members request. */
  readonly requests: "closed" | "ask" | "open";
  /** Level as walk-in music, dB; null if it is not the walk-in playlist. */
  readonly walk_in_db: number | null;
}

/** A song's position on a playlist. */
export interface PlaceRow {
  readonly playlist_id: string;
  readonly song_id: string;
  /** Manual position, from 1; null: ordered by votes, after all manual positions. */
  readonly rank: number | null;
  readonly votes: number;
  readonly voted: boolean;
  readonly played_in: bigint;
  readonly added_at: Date;
}

const columns = (db: Db) => db`id, name, created_at, gap_seconds, fade_seconds, requests, walk_in_db`;

export function listPlaylists(db: Db): Promise<PlaylistRow[]> {
  return db<PlaylistRow[]>`select ${columns(db)} from playlists order by lower(name), id`;
}

export async function findPlaylist(db: Db, id: string): Promise<PlaylistRow | undefined> {
  const [row] = await db<PlaylistRow[]>`select ${columns(db)} from playlists where id = ${id}`;
  return row;
}

/** Returns the walk-in playlist. */
export async function findWalkIn(db: Db): Promise<PlaylistRow | undefined> {
  const [row] = await db<PlaylistRow[]>`select ${columns(db)} from playlists where walk_in_db is not null`;
  return row;
}

/** Locks the playlist row until the transaction ends, which serializes changes of one playlist. */
export async function lockPlaylist(tx: Tx, id: string): Promise<PlaylistRow | undefined> {
  const [row] = await tx<PlaylistRow[]>`select ${columns(tx)} from playlists where id = ${id} for update`;
  return row;
}

/**
 * Sorts the songs of a playlist: manual positions first, then by votes in descending order; ties by age, oldest first.
 */
export const inOrder = (db: Db) => db`place.rank nulls last, place.votes desc, place.added_at, place.song_id`;

/** Returns the songs of playlists in playing order, without deleted songs. */
export function placesOf(db: Db, playlistIds: readonly string[], userId: string): Promise<PlaceRow[]> {
  return db<PlaceRow[]>`
    select place.playlist_id, place.song_id, place.rank, place.votes, place.played_in, place.added_at,
      exists (
        select from playlist_votes vote
        where (vote.playlist_id, vote.song_id, vote.user_id) = (place.playlist_id, place.song_id, ${userId})
      ) as voted
    from playlist_songs place join songs on songs.id = place.song_id and songs.deleted_at is null
    where place.playlist_id = any(${[...playlistIds]})
    order by place.playlist_id, ${inOrder(db)}`;
}

/** Whether a song of a playlist was played in the run that is on; also true while it plays. */
export async function wasPlayed(db: Db, playlistId: string, songId: string): Promise<boolean> {
  const rows = await db`
    select 1 from playlist_songs place join show_queue queue on queue.playlist_id = place.playlist_id
    where (place.playlist_id, place.song_id) = (${playlistId}, ${songId})
      and queue.mode <> 'stopped' and place.played_in = queue.run`;
  return rows.length > 0;
}

/** @param songIds manual order, first song first; other songs follow by votes */
export async function setOrder(tx: Tx, playlistId: string, songIds: readonly string[]): Promise<void> {
  await tx`
    update playlist_songs set rank = array_position(${[...songIds]}::text[], song_id) where playlist_id = ${playlistId}`;
}

export async function insertPlaylist(tx: Tx, id: string, name: string, createdBy: string): Promise<void> {
  await tx`insert into playlists (id, name, created_by) values (${id}, ${name}, ${createdBy})`;
}

export async function renamePlaylist(tx: Tx, id: string, name: string): Promise<void> {
  await tx`update playlists set name = ${name} where id = ${id}`;
}

export async function setTransition(tx: Tx, id: string, gapSeconds: number, fadeSeconds: number): Promise<void> {
  await tx`update playlists set gap_seconds = ${gapSeconds}, fade_seconds = ${fadeSeconds} where id = ${id}`;
}

export async function setWalkIn(tx: Tx, id: string, walkInDb: number | null): Promise<void> {
  await tx`update playlists set walk_in_db = ${walkInDb} where id = ${id}`;
}

export async function deletePlaylist(tx: Tx, id: string): Promise<void> {
  await tx`delete from playlists where id = ${id}`;
}

export async function countPlaces(tx: Tx, playlistId: string): Promise<number> {
  const [row] = await tx<{ places: number }[]>`
    select count(*)::int as places from playlist_songs where playlist_id = ${playlistId}`;
  return row?.places ?? 0;
}

/** @returns false if the song is already on the playlist */
export async function addPlace(tx: Tx, playlistId: string, songId: string): Promise<boolean> {
  const added = await tx`
    insert into playlist_songs (playlist_id, song_id) values (${playlistId}, ${songId}) on conflict do nothing`;
  return added.count === 1;
}

/** @returns false if the song is not on the playlist */
export async function removePlace(tx: Tx, playlistId: string, songId: string): Promise<boolean> {
  const removed = await tx`delete from playlist_songs where (playlist_id, song_id) = (${playlistId}, ${songId})`;
  return removed.count === 1;
}

/**
 * Sets or removes a user's one vote for a song.
 * @returns number of votes afterwards and whether this call changed it; undefined if the song is not on the playlist
 */
export async function setVote(
  tx: Tx,
  [playlistId, songId, userId]: readonly [playlistId: string, songId: string, userId: string],
  up: boolean,
): Promise<{ votes: number; changed: boolean } | undefined> {
  // The lock prevents deletion of the row while the vote is counted.
  const [place] = await tx<{ votes: number }[]>`
    select votes from playlist_songs where (playlist_id, song_id) = (${playlistId}, ${songId}) for no key update`;
  if (!place) return undefined;
  const { count } = up
    ? await tx`
        insert into playlist_votes (playlist_id, song_id, user_id) values (${playlistId}, ${songId}, ${userId})
        on conflict do nothing`
    : await tx`
        delete from playlist_votes
        where (playlist_id, song_id, user_id) = (${playlistId}, ${songId}, ${userId})`;
  return { votes: place.votes + (up ? count : -count), changed: count === 1 };
}
