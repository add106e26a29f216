import { PLAYER_PATHS, type PlayerQueue, type PlayerSong } from "@followspot/contract";
import { comingOf, gapAfter, type QueuePorts } from "../music/show-queue.ts";
import { readQueue } from "../music/show-queue.store.ts";
import type { SongSound } from "../music/song-sounds.ts";
import { findSongs, type SongRow } from "../music/songs.store.ts";

/** Songs a player fetches ahead. */
const AHEAD = 2;
/** A quiet recording is made this much louder at most, dB: what is beyond is noise. A player stops before it would clip. */
const MOST_GAIN = 9;
const LEAST_GAIN = -24;
/** Loudness given for silence. */
const SILENCE_LUFS = -70;

/**
 * What plays, as players need it.
 * @param level songs are made as loud as this, LUFS; null leaves each as it is
 * @param serverMs the clock that players reckon by
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
    // People are to notice that the walk-in music ends, and not to be startled.
    fade_away_seconds: queue.walk_in_db === null ? 0 : Math.max(-queue.gap_seconds, queue.fade_seconds),
  };
}

function playerSong(row: SongRow, sound: SongSound | undefined, level: number | null): PlayerSong {
  const { id, title, artist, has_cover, duration } = row;
  const cover = has_cover ? `${PLAYER_PATHS.songs}/${id}/cover-small.webp` : "";
  return { id, title, artist, cover, seconds: sound?.seconds ?? duration + 1, gain: gainOf(sound, level) };
}

/** dB from a song's own loudness to the level all are made as loud as. */
export function gainOf(sound: SongSound | undefined, level: number | null): number {
  if (!sound || level === null || sound.loudness <= SILENCE_LUFS) return 0;
  return Math.min(MOST_GAIN, Math.max(LEAST_GAIN, level - sound.loudness));
}
