import type { Db, Tx } from "../../platform/database/database.ts";
import { inOrder } from "./playlists.store.ts";
import type { TalkState } from "./talk-music.ts";

/** The show queue for all users, stored as a single row. */
export interface QueueRow extends TalkState {
  readonly playlist_id: string | null;
  readonly song_id: string | null;
  readonly started_at: Date | null;
  readonly ends_at: Date | null;
  /** Song position while paused, s. */
  readonly paused_at: number | null;
  /** Number of songs started so far. */
  readonly turn: bigint;
  /** Song that the player at the PA has preloaded as the next one. */
  readonly laid_out: string | null;
  readonly repeats: boolean;
  readonly gap_seconds: number;
  readonly fade_seconds: number;
  /** Level of the walk-in music that is playing, dB; null if other music is playing. */
  readonly walk_in_db: number | null;
  readonly run: bigint;
  readonly revision: bigint;
  readonly note: string;
  /** Start of the outage after which the queue is held; null otherwise. */
  readonly outage_since: Date | null;
  /** Revision at the start of the outage; null after any other change. */
  readonly outage_revision: bigint | null;
  /** Database clock at the time of reading. */
  readonly now: Date;
  /** Whether the queue follows the queue of another server. */
  readonly is_mirrored: boolean;
}

const row = (db: Db) => db`
  *, clock_timestamp() as now, exists (select from lamp_part where part in ('follows', 'yields')) as is_mirrored`;

export async function readQueue(db: Db): Promise<QueueRow> {
  const [queue] = await db<QueueRow[]>`select ${row(db)} from show_queue`;
  return queue!; // a migration created the row, and nothing deletes it
}

/** Locks the queue until the transaction ends, which serializes concurrent commands. */
export async function lockQueue(tx: Tx): Promise<QueueRow> {
  const [queue] = await tx<QueueRow[]>`select ${row(tx)} from show_queue for update`;
  return queue!; // as above
}

/** The queue's new state. */
export type NextQueue = Omit<QueueRow, "revision" | "now" | "is_mirrored">;

/** Stores the new state of the queue and increments the revision. */
export async function storeQueue(tx: Tx, next: NextQueue): Promise<void> {
  const { mode, playlist_id, song_id, started_at, ends_at, paused_at, laid_out, outage_since, outage_revision } = next;
  const { repeats, gap_seconds, fade_seconds, walk_in_db, run, turn, note, for_talk, talk_screen } = next;
  await tx`
    update show_queue set mode = ${mode}, playlist_id = ${playlist_id}, song_id = ${song_id},
      started_at = ${started_at}, ends_at = ${ends_at}, paused_at = ${paused_at}, laid_out = ${laid_out},
      repeats = ${repeats}, gap_seconds = ${gap_seconds}, fade_seconds = ${fade_seconds}, run = ${run.toString()},
      turn = ${turn.toString()}, note = ${note}, walk_in_db = ${walk_in_db}, for_talk = ${for_talk},
      talk_screen = ${talk_screen}, outage_since = ${outage_since},
      outage_revision = ${outage_revision?.toString() ?? null}, revision = revision + 1`;
}

/** Whether a stage screen still shows a talk of an event that is not over. */
export async function isTalkOn(db: Db, screen: string): Promise<boolean> {
  const rows = await db`
    select from stage_screens join talks on talks.id = stage_screens.talk_id join events on events.id = talks.event_id
    where stage_screens.id = ${screen} and events.ends_at > clock_timestamp() and events.deleted_at is null`;
  return rows.length > 0;
}

/** A song that can be played because it has a plan. */
export interface PlayableRow {
  readonly song_id: string;
  readonly duration: number;
}

/** Returns the playable songs of a playlist that have not played in this run, in playing order. */
export function playableOf(db: Db, playlistId: string, run: bigint): Promise<PlayableRow[]> {
  return db<PlayableRow[]>`
    select place.song_id, songs.duration
    from playlist_songs place join songs on songs.id = place.song_id
    where place.playlist_id = ${playlistId} and place.played_in <> ${run.toString()}
      and songs.deleted_at is null and songs.lighting_status = 'ready' and songs.duration > 0
    order by ${inOrder(db)}`;
}

export async function findPlayable(db: Db, songId: string): Promise<PlayableRow | undefined> {
  const [row] = await db<PlayableRow[]>`
    select id as song_id, duration from songs
    where id = ${songId} and deleted_at is null and lighting_status = 'ready' and duration > 0`;
  return row;
}

export async function markPlayed(tx: Tx, playlistId: string, songId: string, run: bigint): Promise<void> {
  await tx`
    update playlist_songs set played_in = ${run.toString()}
    where (playlist_id, song_id) = (${playlistId}, ${songId})`;
}
