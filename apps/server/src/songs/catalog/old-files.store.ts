import type { Db, Tx } from "../../platform/database/database.ts";
import type { Fragment } from "../../platform/database/lists.ts";

/** Files of a song that can be created or fetched again: its four stems, and its original as downloaded or uploaded. */
export const OLD_KINDS = ["stems", "original"] as const;
export type OldKind = (typeof OLD_KINDS)[number];

/** Migration since which uses are recorded; its date counts as a use of every song. */
const FIRST_NOTED = "077-old-files.sql";
/**
 * Shortest interval between recorded uses of a song, minutes: a player requests parts of a file as long as it plays.
 */
const NOTED_MINUTES = 60;

/** Records that the files of a song are being used. */
export async function noteSongUse(db: Db, songId: string): Promise<void> {
  await db`
    insert into song_uses (song_id, used_at) select id, now() from songs where id = ${songId}
    on conflict (song_id, community_id) do update set used_at = now()
    where song_uses.used_at is null or song_uses.used_at < now() - make_interval(mins => ${NOTED_MINUTES})`;
}

/** A song whose files of one kind may be old. */
export interface UnusedSong {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
  /** Whole seconds. */
  readonly duration: number;
}

/** Returns the songs, oldest first, that were unused for this many days and not checked since their last step ended. */
export function unusedSongs(db: Db, kind: OldKind, days: number): Promise<UnusedSong[]> {
  return db<UnusedSong[]>`
    select songs.id, songs.title, songs.artist, songs.duration from songs left join song_uses uses on uses.song_id = songs.id
    where ${isUnused(db, kind, days)} order by songs.id`;
}

/** Same check for one song. Callers hold its lock. */
export async function isSongUnused(tx: Tx, songId: string, kind: OldKind, days: number): Promise<boolean> {
  const rows = await tx`
    select 1 from songs left join song_uses uses on uses.song_id = songs.id
    where songs.id = ${songId} and ${isUnused(tx, kind, days)}`;
  return rows.length > 0;
}

/** Records that a song's files of one kind were checked. */
export async function noteLooked(tx: Tx, songId: string, kind: OldKind): Promise<void> {
  const column = tx(`${kind}_looked_at`);
  await tx`
    insert into song_uses (song_id, ${column}) values (${songId}, now())
    on conflict (song_id, community_id) do update set ${column} = now()`;
}

/**
 * Matches finished songs only, and none that is playing or about to. Events name no playlists, so the songs of all
 * playlists count as used while an event is on or coming up.
 */
function isUnused(db: Db, kind: OldKind, days: number): Fragment {
  const lookedAt = db`uses.${db(`${kind}_looked_at`)}`;
  return db`
    songs.deleted_at is null and songs.downloaded_at is not null
    and songs.analysis_status = 'ready' and songs.lighting_status = 'ready'
    and greatest(
      songs.created_at, songs.downloaded_at, uses.used_at,
      (select max(ended_at) from song_jobs where song_id = songs.id),
      (select max(ended_at) from played_songs where song_id = songs.id),
      (select applied_at from migrations where name = ${FIRST_NOTED})
    ) < now() - make_interval(days => ${days})
    and (${lookedAt} is null or exists (select from song_jobs where song_id = songs.id and ended_at > ${lookedAt}))
    and not exists (select from song_jobs where song_id = songs.id and state in ('queued', 'running'))
    and not exists (select from show_queue where mode <> 'stopped' and songs.id in (song_id, laid_out))
    and not exists (
      select from playlist_songs place where place.song_id = songs.id and (
        exists (select from events where deleted_at is null and ends_at > now())
        or exists (select from show_queue where mode <> 'stopped' and playlist_id = place.playlist_id)))`;
}
