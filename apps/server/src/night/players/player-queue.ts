import { PLAYER_PATHS, TALK_QUIET_DB, type PlayerQueue, type PlayerSong } from "@followspot/contract";
import { comingOf, gapAfter, type QueuePorts } from "../../songs/queue/show-queue.ts";
import { readQueue } from "../../songs/queue/show-queue.store.ts";
import type { SongSound } from "../../songs/catalog/song-sounds.ts";
import { findSongs, type SongRow } from "../../songs/catalog/songs.store.ts";

/** Number of songs that a player fetches ahead. */
const AHEAD = 2;
/** Largest boost of a quiet recording, dB; more would raise noise. A player limits it further to avoid clipping. */
const MOST_GAIN = 9;
const LEAST_GAIN = -24;
/** Loudness measured for silence, LUFS. */
const SILENCE_LUFS = -70;

/**
 * Returns the state of the queue in the form that players need.
 * @param level target loudness of all songs, LUFS; null plays each as recorded
 * @param serverMs clock that players synchronize to
 */
export async function queueForPlayers(
  { sql, sounds }: QueuePorts,
  level: number | null,
  serverMs: () => number,
): Promise<PlayerQueue> {
  const asked = serverMs();
  const queue = await readQueue(sql);
  const readAt = (asked + serverMs()) / 2;
  const coming = queue.mode === "stopped" ? [] : (await comingOf(sql, queue)).slice(0, AHEAD);
  const ids = [...(queue.song_id === null ? [] : [queue.song_id]), ...coming.map(({ song_id }) => song_id)];
  const rows = new Map((await findSongs(sql, [...new Set(ids)])).map((row) => [row.id, row]));
  const songOf = async (id: string | null): Promise<PlayerSong | undefined> => {
    const row = id === null ? undefined : rows.get(id);
    return row && playerSong(row, await sounds.of(row.id), level);
  };
  const next = await Promise.all(coming.map(({ song_id }) => songOf(song_id)));
  const song = queue.mode === "stopped" ? undefined : await songOf(queue.song_id);
  return {
    revision: Number(queue.revision),
    turn: Number(queue.turn),
    mode: song ? queue.mode : "stopped",
    song,
    starts_at: readAt + (queue.started_at ? queue.started_at.getTime() - queue.now.getTime() : 0),
    paused_at: queue.paused_at ?? 0,
    next: next.flatMap((each) => each ?? []),
    gap_seconds: gapAfter(queue),
    level_db: queue.walk_in_db ?? 0,
    // Quiet music has one level: walk-in music, which is softer already, is lowered by less.
    duck_db: queue.for_talk === "quiet" ? Math.min(0, TALK_QUIET_DB - (queue.walk_in_db ?? 0)) : 0,
    // Guests should notice the end of the walk-in music without being startled.
    fade_away_seconds: queue.walk_in_db === null ? 0 : Math.max(-queue.gap_seconds, queue.fade_seconds),
  };
}

function playerSong(row: SongRow, sound: SongSound | undefined, level: number | null): PlayerSong {
  const { id, title, artist, has_cover, duration } = row;
  const cover = has_cover ? `${PLAYER_PATHS.songs}/${id}/cover-small.webp` : "";
  return { id, title, artist, cover, seconds: sound?.seconds ?? duration + 1, gain: gainOf(sound, level) };
}

/** Returns the gain from a song's own loudness to the target loudness, dB. */
export function gainOf(sound: SongSound | undefined, level: number | null): number {
  if (!sound || level === null || sound.loudness <= SILENCE_LUFS) return 0;
  return Math.min(MOST_GAIN, Math.max(LEAST_GAIN, level - sound.loudness));
}
