import { create, toJson } from "@bufbuild/protobuf";
import type { StageQueue } from "@followspot/contract";
import { ShowQueueSchema, type ShowQueue } from "@followspot/contract/music";
import type { Caller } from "../platform/caller.ts";
import { change, done, type Done } from "../platform/change.ts";
import type { Db, Sql, Tx } from "../platform/database.ts";
import { conflict, notFound } from "../platform/errors.ts";
import { tell } from "../platform/outbox.ts";
import { timestampOf } from "../platform/timestamps.ts";
import { transact } from "../platform/transaction.ts";
import { findPlaylist } from "./playlists.store.ts";
import {
  findPlayable,
  isSongOver,
  lockQueue,
  markPlayed,
  playableOf,
  readQueue,
  storeQueue,
  type PlayableRow,
  type QueueRow,
} from "./show-queue.store.ts";
import { findSong, songFromRow } from "./songs.store.ts";

/** The one queue, as audit log and envelopes name it. */
const QUEUE = { noun: "queue", id: "show" } as const;
/** Songs told as coming next. */
const NEXT_TOLD = 3;
const USUAL = { gap_seconds: 2, fade_seconds: 1.5 };

export interface PlaylistStart {
  readonly playlistId: string;
  /** Empty: the first by votes. */
  readonly songId: string;
  readonly repeats: boolean;
  readonly gapSeconds?: number | undefined;
  readonly fadeSeconds?: number | undefined;
}

/** Starts a playlist from its first song, or from one of it. */
export function playPlaylist(sql: Sql, caller: Caller, start: PlaylistStart): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockQueue(tx);
    const playlist = await findPlaylist(tx, start.playlistId);
    if (!playlist) throw notFound("Playlist", start.playlistId);
    const run = queue.run + 1n;
    const songs = await playableOf(tx, playlist.id, run);
    if (songs.length === 0) throw conflict("No song of this playlist has a show yet. Add songs that are ready.");
    const first = start.songId === "" ? songs[0] : songs.find(({ song_id }) => song_id === start.songId);
    if (!first) throw conflict("This song is not on the playlist, or has no show yet.");
    const settings = {
      playlist_id: playlist.id,
      repeats: start.repeats,
      gap_seconds: start.gapSeconds ?? USUAL.gap_seconds,
      fade_seconds: start.fadeSeconds ?? USUAL.fade_seconds,
      run,
    };
    await startSong(tx, { ...queue, ...settings }, first, queue.now);
    return described(tx, queue, "started");
  });
}

/** Plays one song, and nothing after it. */
export function broadcastSong(sql: Sql, caller: Caller, songId: string): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockQueue(tx);
    if (!(await findSong(tx, songId))) throw notFound("Song", songId);
    const song = await findPlayable(tx, songId);
    if (!song) throw conflict("This song has no show yet. Wait until it is ready, or use Retry.");
    await startSong(tx, { ...queue, ...USUAL, playlist_id: null, repeats: false }, song, queue.now);
    return described(tx, queue, "started");
  });
}

/** @param songId the song that is to be skipped; another one plays already: nothing is skipped */
export function skipSong(sql: Sql, caller: Caller, songId: string): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockQueue(tx);
    if (queue.mode === "stopped") throw conflict("Nothing plays. Start a playlist first.");
    if (songId !== "" && songId !== queue.song_id) return done(await describeQueue(tx));
    await goOn(tx, queue, queue.now);
    return described(tx, queue, "skipped");
  });
}

/** Stops what plays; stopped already, it changes nothing. */
export function stopMusic(sql: Sql, caller: Caller): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockQueue(tx);
    if (queue.mode === "stopped") return done(await describeQueue(tx));
    await storeQueue(tx, stopped(queue, ""));
    return described(tx, queue, "stopped");
  });
}

/** Follows a song that is over with the next one. Any number of processes may ask: one of them does it. */
export async function advanceQueue(sql: Sql): Promise<boolean> {
  if (!(await isSongOver(sql))) return false;
  return transact(sql, async (tx) => {
    const queue = await lockQueue(tx);
    if (queue.mode === "stopped" || !queue.ends_at || queue.ends_at > queue.now) return false;
    // From the end of the song and not from now: the night's timing does not drift. After an outage it is now.
    const late = queue.now.getTime() - queue.ends_at.getTime();
    const from = late < (queue.gap_seconds + 1) * 1000 ? queue.ends_at : queue.now;
    await goOn(tx, queue, new Date(from.getTime() + queue.gap_seconds * 1000));
    await tell(tx, QUEUE.noun, QUEUE.id, "advanced", { queue: toJson(ShowQueueSchema, await describeQueue(tx)) });
    return true;
  });
}

/** Somebody took the lamps from the queue: it stops, and says why. */
export async function yieldQueue(sql: Sql, songId: string): Promise<void> {
  await transact(sql, async (tx) => {
    const queue = await lockQueue(tx);
    if (queue.mode === "stopped" || queue.song_id !== songId) return;
    await storeQueue(tx, stopped(queue, "Somebody took over the lights"));
    await tell(tx, QUEUE.noun, QUEUE.id, "stopped", { queue: toJson(ShowQueueSchema, await describeQueue(tx)) });
  });
}

export async function describeQueue(db: Db): Promise<ShowQueue> {
  const queue = await readQueue(db);
  const song = queue.song_id === null ? undefined : await findSong(db, queue.song_id);
  const playlist = queue.playlist_id === null ? undefined : await findPlaylist(db, queue.playlist_id);
  const coming = queue.mode === "playing" && playlist ? await playableOf(db, playlist.id, queue.run) : [];
  const next = await Promise.all(coming.slice(0, NEXT_TOLD).map(({ song_id }) => findSong(db, song_id)));
  return create(ShowQueueSchema, {
    mode: queue.mode,
    ...(queue.mode === "playing" && song && { song: songFromRow(song) }),
    ...(queue.mode === "playing" && queue.started_at && { startedAt: timestampOf(queue.started_at) }),
    playlistId: playlist?.id ?? "",
    playlistName: playlist?.name ?? "",
    repeat: queue.repeats,
    gapSeconds: queue.gap_seconds,
    fadeSeconds: queue.fade_seconds,
    serverTime: timestampOf(queue.now),
    next: next.flatMap((row) => (row ? [songFromRow(row)] : [])),
    note: queue.note,
    revision: queue.revision,
  });
}

/** The queue as the stage follows it. */
export async function queueForStage(db: Db): Promise<StageQueue> {
  const { revision, mode, song_id, started_at, ends_at, now, fade_seconds, note } = await readQueue(db);
  const scene = { revision: Number(revision), fade_seconds, house_light: note !== "" };
  if (mode === "stopped" || song_id === null || !started_at || !ends_at)
    return { ...scene, song_id: "", position: 0, duration: 0 };
  const since = (date: Date, from: Date) => (date.getTime() - from.getTime()) / 1000;
  return { ...scene, song_id, position: since(now, started_at), duration: since(ends_at, started_at) };
}

/** The next song of the run; of a new run where the playlist repeats; the end where there is none. */
async function goOn(tx: Tx, queue: QueueRow, at: Date): Promise<void> {
  const next = await nextSong(tx, queue);
  if (!next) return storeQueue(tx, stopped(queue, "The last song is over"));
  await startSong(tx, { ...queue, run: next.run }, next.song, at);
}

async function nextSong(tx: Tx, queue: QueueRow): Promise<{ song: PlayableRow; run: bigint } | undefined> {
  if (queue.playlist_id === null) return undefined;
  const runs = queue.repeats ? [queue.run, queue.run + 1n] : [queue.run];
  for (const run of runs) {
    const [song] = await playableOf(tx, queue.playlist_id, run);
    if (song) return { song, run };
  }
  return undefined;
}

async function startSong(tx: Tx, queue: QueueRow, song: PlayableRow, at: Date): Promise<void> {
  // A duration is told in whole seconds, and the last one may be begun.
  const ends_at = new Date(at.getTime() + (song.duration + 1) * 1000);
  await storeQueue(tx, { ...queue, mode: "playing", song_id: song.song_id, started_at: at, ends_at, note: "" });
  if (queue.playlist_id !== null) await markPlayed(tx, queue.playlist_id, song.song_id, queue.run);
}

const stopped = (queue: QueueRow, note: string): QueueRow => ({
  ...queue,
  mode: "stopped",
  song_id: null,
  started_at: null,
  ends_at: null,
  note,
});

async function described(tx: Tx, before: QueueRow, verb: string): Promise<Done<ShowQueue>> {
  const queue = await describeQueue(tx);
  const kept = {
    before: { mode: before.mode, playlist: before.playlist_id, song: before.song_id },
    after: { mode: queue.mode, playlist: queue.playlistId || null, song: queue.song?.id ?? null },
  };
  return done(queue, { ...QUEUE, verb, ...kept, payload: { queue: toJson(ShowQueueSchema, queue) } });
}
