import { create, toJson } from "@bufbuild/protobuf";
import type { StageQueue } from "@followspot/contract";
import { ShowQueueSchema, SkipSchema, type ShowQueue, type Skip } from "@followspot/contract/music";
import type { Caller } from "../../platform/caller.ts";
import { change, done, type Done } from "../../platform/database/change.ts";
import type { Db, Sql, Tx } from "../../platform/database/database.ts";
import { conflict, notFound } from "../../platform/errors.ts";
import { tell } from "../../platform/database/outbox.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { transact } from "../../platform/database/transaction.ts";
import { addHeard, notePlayed, setPlayStart } from "./played-songs.store.ts";
import { findPlaylist, findWalkIn } from "./playlists.store.ts";
import {
  findPlayable,
  isTalkOn,
  lockQueue,
  markPlayed,
  playableOf,
  readQueue,
  storeQueue,
  type NextQueue,
  type PlayableRow,
  type QueueRow,
} from "./show-queue.store.ts";
import type { SongSounds } from "../catalog/song-sounds.ts";
import { findSong, songFromRow } from "../catalog/songs.store.ts";
import { withoutTalkPause, type TalkState } from "./talk-music.ts";

/** Name of the one queue in the audit log and in envelopes. */
const QUEUE = { noun: "queue", id: "show" } as const;
const LAST_SONG_OVER = "The last song is over";
/** Run number that marks a song of a playlist as not played. Runs count from 1. */
const NO_RUN = 0n;
/** Number of upcoming songs that are published. */
const NEXT_TOLD = 3;
/** Transition of a song that is played alone. */
const USUAL = { gap_seconds: 2, fade_seconds: 1.5 };
/**
 * Deviation of the player from the stored song position that changes the stored position, s. Below it, only the lights
 * follow the player.
 */
export const MOVED_SECONDS = 0.15;

export interface QueuePorts {
  readonly sql: Sql;
  readonly sounds: Pick<SongSounds, "of">;
}

export interface PlaylistStart {
  readonly playlistId: string;
  /** ID of the first song; empty: the first in playlist order. */
  readonly songId: string;
  readonly repeats: boolean;
  readonly gapSeconds?: number | undefined;
  readonly fadeSeconds?: number | undefined;
}

/**
 * Locks the queue for a command.
 * @throws failed_precondition if the queue follows another server
 */
async function lockOwnQueue(tx: Tx): Promise<QueueRow> {
  const queue = await lockQueue(tx);
  requireOwn(queue);
  return queue;
}

function requireOwn({ is_mirrored }: QueueRow): void {
  if (is_mirrored)
    throw conflict("The other machine drives the lamps: press there, or take the lamps here first, on Tonight.");
}

/** Starts a playlist with its first song, or with a chosen one. */
export function playPlaylist(ports: QueuePorts, caller: Caller, start: PlaylistStart): Promise<ShowQueue> {
  return change(ports.sql, caller, async (tx) => {
    const queue = await lockQueue(tx);
    const playlist = await findPlaylist(tx, start.playlistId);
    if (!playlist) throw notFound("Playlist", start.playlistId);
    requireOwn(queue);
    const run = queue.run + 1n;
    const songs = await playableOf(tx, playlist.id, run);
    if (songs.length === 0) throw conflict("No song of this playlist has a show yet. Add songs that are ready.");
    const first = start.songId === "" ? songs[0] : songs.find(({ song_id }) => song_id === start.songId);
    if (!first) throw conflict("This song is not on the playlist, or has no show yet.");
    const settings = {
      playlist_id: playlist.id,
      repeats: start.repeats,
      gap_seconds: start.gapSeconds ?? playlist.gap_seconds,
      fade_seconds: start.fadeSeconds ?? playlist.fade_seconds,
      walk_in_db: null,
      run,
      ...(await talkAtStart(tx, queue)),
    };
    await startSong(tx, ports, queue, first, queue.now, { settings });
    return described(tx, queue, "started");
  });
}

/** Plays the walk-in music in a loop; changes nothing while it is already playing. */
export function playWalkIn(ports: QueuePorts, caller: Caller): Promise<ShowQueue> {
  return change(ports.sql, caller, async (tx) => {
    const queue = await lockOwnQueue(tx);
    if (isWalkIn(queue)) return done(await describeQueue(tx));
    const playlist = await findWalkIn(tx);
    if (!playlist) throw conflict("No playlist is the walk-in music yet. Choose one under Music, Playlists.");
    const run = queue.run + 1n;
    const [first] = await playableOf(tx, playlist.id, run);
    if (!first) throw conflict("No song of the walk-in music has a show yet. Add songs that are ready.");
    const { id: playlist_id, gap_seconds, fade_seconds, walk_in_db } = playlist;
    const talk = await talkAtStart(tx, queue);
    const settings = { playlist_id, gap_seconds, fade_seconds, walk_in_db, repeats: true, run, ...talk };
    await startSong(tx, ports, queue, first, queue.now, { settings });
    return described(tx, queue, "started");
  });
}

/** Ends the walk-in music; changes nothing while other music, or nothing, is playing. */
export function stopWalkIn(sql: Sql, caller: Caller): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockOwnQueue(tx);
    if (!isWalkIn(queue)) return done(await describeQueue(tx));
    // The note keeps the lights at the default look, because people are in the hall.
    await moveQueue(tx, queue, stopped(queue, "The walk-in music is over"));
    return described(tx, queue, "stopped");
  });
}

/** Plays one song, and nothing after it. */
export function broadcastSong(ports: QueuePorts, caller: Caller, songId: string): Promise<ShowQueue> {
  return change(ports.sql, caller, async (tx) => {
    const queue = await lockQueue(tx);
    if (!(await findSong(tx, songId))) throw notFound("Song", songId);
    requireOwn(queue);
    const song = await findPlayable(tx, songId);
    if (!song) throw conflict("This song has no show yet. Wait until it is ready, or use Retry.");
    const talk = await talkAtStart(tx, queue);
    const settings = { ...USUAL, playlist_id: null, walk_in_db: null, repeats: false, ...talk };
    await startSong(tx, ports, queue, song, queue.now, { settings });
    return described(tx, queue, "started");
  });
}

/** The queue after a skip, and the input for {@link undoSkip}; without a skip if another song was already playing. */
interface SkipResult {
  readonly queue: ShowQueue;
  readonly skip?: Skip;
}

/** @param songId the song to skip; if another one is already playing, nothing is skipped */
export function skipSong(ports: QueuePorts, caller: Caller, songId: string): Promise<SkipResult> {
  return change(ports.sql, caller, async (tx) => {
    const queue = await lockOwnQueue(tx);
    if (queue.mode === "stopped" || queue.song_id === null) throw conflict("Nothing plays. Start a playlist first.");
    if (songId !== "" && songId !== queue.song_id) return done({ queue: await describeQueue(tx) });
    await goOn(tx, ports, queue, queue.now);
    const { turn } = await readQueue(tx);
    const skip = create(SkipSchema, {
      songId: queue.song_id,
      position: Math.max(0, positionOf(queue)),
      isPaused: queue.mode === "paused",
      turn,
      run: queue.run,
    });
    const { answer, entries } = await described(tx, queue, "skipped");
    return { answer: { queue: answer, skip }, entries };
  });
}

/**
 * Resumes a skipped song at its position. The song that followed it is next again.
 *
 * @throws failed_precondition if another song was started since, or the music was stopped
 */
export function undoSkip(ports: QueuePorts, caller: Caller, skip: Skip): Promise<ShowQueue> {
  return change(ports.sql, caller, async (tx) => {
    const queue = await lockOwnQueue(tx);
    const isUnchanged = queue.turn === skip.turn && (queue.mode !== "stopped" || queue.note === LAST_SONG_OVER);
    if (!isUnchanged) throw conflict("Something else was played since. The skip cannot be undone.");
    const song = await findPlayable(tx, skip.songId);
    if (!song) throw conflict("The skipped song was deleted, or its show is being planned.");
    if (queue.playlist_id !== null && queue.song_id !== null) {
      // The skip may have started the next run of a repeating playlist; the song then counts as played in the previous
      // run.
      const playedIn = queue.run === skip.run ? NO_RUN : skip.run;
      await markPlayed(tx, queue.playlist_id, queue.song_id, playedIn);
    }
    const startedAt = new Date(queue.now.getTime() - skip.position * 1000);
    await startSong(tx, ports, queue, song, startedAt, { settings: { run: skip.run } });
    const started = await lockQueue(tx);
    await setPlayStart(tx, started.turn, skip.position);
    if (skip.isPaused)
      await moveQueue(tx, started, { ...started, mode: "paused", paused_at: skip.position }, skip.position);
    return described(tx, queue, "unskipped");
  });
}

/**
 * Pauses the song at its current position; changes nothing if it is already paused. A pause by a talk becomes one by the
 * operator, so the end of the talk no longer resumes the song.
 */
export function pauseMusic(sql: Sql, caller: Caller): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockOwnQueue(tx);
    if (queue.mode === "stopped" || !queue.started_at) throw conflict("Nothing plays. Start a playlist first.");
    if (queue.mode === "paused" && queue.for_talk !== "paused") return done(await describeQueue(tx));
    await moveQueue(tx, queue, { ...withoutTalkPause(queue), mode: "paused", paused_at: positionOf(queue) });
    return described(tx, queue, "paused");
  });
}

/** Resumes the paused song; changes nothing if it is already playing. */
export function resumeMusic(sql: Sql, caller: Caller): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockOwnQueue(tx);
    if (queue.mode === "stopped") throw conflict("Nothing plays. Start a playlist first.");
    if (queue.mode === "playing") return done(await describeQueue(tx));
    await moveQueue(tx, queue, resumed(queue, queue.paused_at ?? 0));
    return described(tx, queue, "resumed");
  });
}

/**
 * Seeks within the song, also while it is paused.
 * @param songId the intended song; if another one is already playing, nothing changes
 * @param position song position, s; beyond its end the song is over
 */
export function seekMusic(sql: Sql, caller: Caller, songId: string, position: number): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockOwnQueue(tx);
    if (queue.mode === "stopped") throw conflict("Nothing plays. Start a playlist first.");
    if (songId !== "" && songId !== queue.song_id) return done(await describeQueue(tx));
    const moved = queue.mode === "paused" ? { paused_at: position } : placed(queue, position);
    await moveQueue(tx, queue, { ...withoutTalkPause(queue), ...moved, laid_out: null });
    return described(tx, queue, "moved");
  });
}

/** Stops the music, and ends the default look that stays after the last song. Changes nothing if there is neither. */
export function stopMusic(sql: Sql, caller: Caller): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockOwnQueue(tx);
    if (queue.mode === "stopped" && queue.note === "") return done(await describeQueue(tx));
    await moveQueue(tx, queue, stopped(queue, ""));
    return described(tx, queue, "stopped");
  });
}

/** Starts the next song when the current one is over. Any number of processes may call it; one of them acts. */
export async function advanceQueue(ports: QueuePorts): Promise<boolean> {
  // Polled four times a second: the row is locked only if it may have to change.
  if (!isNextDue(await readQueue(ports.sql))) return false;
  return transact(ports.sql, async (tx) => {
    const queue = await lockQueue(tx);
    if (!isNextDue(queue)) return false;
    const { ends_at, now } = queue;
    const gap = gapAfter(queue);
    // Measured from the end of the song, not from now, so that the timing of the night does not drift. After an outage
    // it is now.
    const late = now.getTime() - ends_at.getTime();
    const pauseMs = Math.max(0, gap) * 1000;
    const at = late < pauseMs + 1000 ? ends_at.getTime() + gap * 1000 : now.getTime() + pauseMs;
    await goOn(tx, ports, queue, new Date(at), Number.POSITIVE_INFINITY);
    await tellQueue(tx, "advanced");
    return true;
  });
}

/**
 * Moves the stored song position to that of the player at the PA, which may start late or stall. The audible position
 * wins.
 * @param heard the queue as the player received it; if it has changed since, nothing is moved
 * @param position song position of the player now, s
 * @returns whether the queue changed
 */
export async function followPlayer(sql: Sql, heard: { readonly revision: number }, position: number): Promise<boolean> {
  return transact(sql, async (tx) => {
    const queue = await lockQueue(tx);
    if (queue.mode !== "playing" || queue.is_mirrored || Number(queue.revision) !== heard.revision) return false;
    if (Math.abs(position - positionOf(queue)) < MOVED_SECONDS) return false;
    await moveQueue(tx, queue, { ...queue, ...placed(queue, position) }, position);
    await tellQueue(tx, "moved");
    return true;
  });
}

/** Makes the song that the player has preloaded the next one, regardless of later votes. */
export async function keepLaidOut(sql: Sql, turn: bigint, songId: string): Promise<void> {
  await sql`
    update show_queue set laid_out = ${songId}
    where mode = 'playing' and turn = ${turn.toString()} and exists (select from songs where id = ${songId})`;
}

/** Adopts the song of a player that continued alone while it could not reach the server. */
export async function adoptPlayed(ports: QueuePorts, songId: string, position: number): Promise<boolean> {
  return transact(ports.sql, async (tx) => {
    const queue = await lockQueue(tx);
    const isHeld = queue.outage_since !== null;
    if (
      queue.is_mirrored ||
      !(isHeld || queue.mode === "playing") ||
      queue.song_id === songId ||
      queue.playlist_id === null
    )
      return false;
    const song = (await playableOf(tx, queue.playlist_id, -1n)).find(({ song_id }) => song_id === songId);
    if (!song) return false;
    const at = queue.now.getTime() - position * 1000;
    const between = await playedBetween(tx, ports, queue, songId, at);
    // The song of a held queue was played to its end by a player.
    if (isHeld && queue.paused_at !== null)
      await addHeard(tx, queue.turn, queue.paused_at, Number.POSITIVE_INFINITY, new Date(between[0]?.at ?? at));
    let before = queue;
    for (const each of between) {
      await startSong(tx, ports, before, each.song, new Date(each.at), { heardTo: Number.POSITIVE_INFINITY });
      before = await lockQueue(tx);
    }
    const isWhole = between.length > 0;
    await startSong(tx, ports, before, song, new Date(at), isWhole ? { heardTo: Number.POSITIVE_INFINITY } : {});
    await tellQueue(tx, "advanced");
    return true;
  });
}

/**
 * Returns the songs that the player played in full before this one, with their start times; none if there was no time
 * for them.
 */
async function playedBetween(tx: Tx, { sounds }: QueuePorts, queue: QueueRow, songId: string, at: number) {
  // A player receives no more upcoming songs.
  const coming = (await comingOf(tx, queue)).slice(0, NEXT_TOLD);
  const passed = coming.slice(
    0,
    Math.max(
      0,
      coming.findIndex(({ song_id }) => song_id === songId),
    ),
  );
  const between: { readonly song: PlayableRow; readonly at: number }[] = [];
  let began = at;
  for (const song of passed.toReversed()) {
    began -= ((await secondsOf(sounds, song)) + queue.gap_seconds) * 1000;
    between.unshift({ song, at: began });
  }
  const since = queue.outage_since ?? queue.started_at;
  return since !== null && began >= since.getTime() ? between : [];
}

/** Stops the queue with a note after an operator took over the lights. */
export async function yieldQueue(sql: Sql, songId: string): Promise<void> {
  await transact(sql, async (tx) => {
    const queue = await lockQueue(tx);
    if (queue.mode === "stopped" || queue.song_id !== songId) return;
    await moveQueue(tx, queue, stopped(queue, "Another person took over the lights"));
    await tellQueue(tx, "stopped");
  });
}

export async function describeQueue(db: Db): Promise<ShowQueue> {
  const queue = await readQueue(db);
  const song = queue.song_id === null ? undefined : await findSong(db, queue.song_id);
  const playlist = queue.playlist_id === null ? undefined : await findPlaylist(db, queue.playlist_id);
  const isOn = queue.mode !== "stopped";
  const coming = isOn ? await comingOf(db, queue) : [];
  const next = await Promise.all(coming.slice(0, NEXT_TOLD).map(({ song_id }) => findSong(db, song_id)));
  return create(ShowQueueSchema, {
    mode: queue.mode,
    ...(isOn && song && { song: songFromRow(song) }),
    ...(isOn && queue.started_at && { startedAt: timestampOf(queue.started_at) }),
    ...(queue.paused_at !== null && { pausedAt: queue.paused_at }),
    playlistId: playlist?.id ?? "",
    playlistName: playlist?.name ?? "",
    repeat: queue.repeats,
    gapSeconds: queue.gap_seconds,
    fadeSeconds: queue.fade_seconds,
    serverTime: timestampOf(queue.now),
    next: next.flatMap((row) => (row ? [songFromRow(row)] : [])),
    note: queue.note,
    revision: queue.revision,
    ...(queue.outage_since && { outageSince: timestampOf(queue.outage_since) }),
    ...(isOn && queue.walk_in_db !== null && { walkInDb: queue.walk_in_db }),
    forTalk: queue.for_talk ?? "",
  });
}

/** Returns the queue in the form that the stage uses. */
export async function queueForStage(db: Db): Promise<StageQueue> {
  const queue = await readQueue(db);
  const { song_id, started_at, ends_at, fade_seconds, note } = queue;
  const scene = {
    revision: Number(queue.revision),
    turn: Number(queue.turn),
    is_paused: queue.mode === "paused",
    fade_seconds,
    house_light: note !== "",
  };
  if (queue.mode === "stopped" || song_id === null || !started_at || !ends_at)
    return { ...scene, song_id: "", position: 0, duration: 0 };
  return { ...scene, song_id, position: positionOf(queue), duration: secondsBetween(started_at, ends_at) };
}

/** Returns the song position at the time of reading, s; below 0 in the gap before the song. */
export function positionOf({ started_at, paused_at, now }: QueueRow): number {
  return paused_at ?? (started_at ? secondsBetween(started_at, now) : 0);
}

/**
 * Returns the seconds from the end of a song to the next one, below 0 for an overlap. A short song overlaps by at most
 * its second half.
 */
export function gapAfter({ gap_seconds, started_at, ends_at }: QueueRow): number {
  const lasts = started_at && ends_at ? secondsBetween(started_at, ends_at) : 0;
  return Math.max(gap_seconds, Math.min(0, -lasts / 2));
}

const isWalkIn = ({ mode, walk_in_db }: QueueRow): boolean => mode !== "stopped" && walk_in_db !== null;

/** Whether the next song is due: at the end of this one, or earlier if the two overlap. */
function isNextDue(queue: QueueRow): queue is QueueRow & { readonly ends_at: Date } {
  const { mode, ends_at, now, is_mirrored } = queue;
  return !is_mirrored && mode === "playing" && ends_at !== null && ends_at.getTime() + Math.min(0, gapAfter(queue)) * 1000 <= now.getTime(); // prettier-ignore
}

/** Returns the upcoming songs in playing order, a preloaded song first. */
export async function comingOf(db: Db, queue: QueueRow): Promise<readonly PlayableRow[]> {
  if (queue.playlist_id === null) return [];
  const left = await playableOf(db, queue.playlist_id, queue.run);
  // On a repeating playlist, every song comes again after the last.
  const again = queue.repeats ? await playableOf(db, queue.playlist_id, queue.run + 1n) : [];
  const coming = [...left, ...again];
  const laidOut = coming.findIndex(({ song_id }) => song_id === queue.laid_out);
  return laidOut > 0 ? [coming[laidOut]!, ...coming.toSpliced(laidOut, 1)] : coming;
}

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

/** Returns start and end of the song such that `position` is the current song position. */
export function placed(
  { started_at, ends_at, now }: QueueRow,
  position: number,
): Pick<QueueRow, "started_at" | "ends_at"> {
  const lasts = started_at && ends_at ? ends_at.getTime() - started_at.getTime() : 0;
  const start = now.getTime() - position * 1000;
  return { started_at: new Date(start), ends_at: new Date(start + lasts) };
}

/** Starts the next song of the run, or of a new run on a repeating playlist; otherwise stops the queue. */
async function goOn(tx: Tx, ports: QueuePorts, queue: QueueRow, at: Date, heardTo?: number): Promise<void> {
  const [next] = await comingOf(tx, queue);
  if (!next) return moveQueue(tx, queue, stopped(queue, LAST_SONG_OVER), heardTo);
  const isOfRun = (await playableOf(tx, queue.playlist_id!, queue.run)).some(({ song_id }) => song_id === next.song_id);
  await startSong(tx, ports, queue, next, at, { settings: { run: isOfRun ? queue.run : queue.run + 1n }, heardTo });
}

interface SongStart {
  /** Fields of the queue that change with the song. */
  readonly settings?: Partial<QueueRow>;
  /** See {@link moveQueue}. */
  readonly heardTo?: number | undefined;
}

async function startSong(
  tx: Tx,
  { sounds }: QueuePorts,
  before: QueueRow,
  song: PlayableRow,
  at: Date,
  { settings, heardTo }: SongStart = {},
): Promise<void> {
  const queue = { ...before, ...settings };
  const seconds = await secondsOf(sounds, song);
  const next: NextQueue = {
    ...withoutTalkPause(queue),
    ...NO_OUTAGE,
    mode: "playing",
    song_id: song.song_id,
    started_at: at,
    ends_at: new Date(at.getTime() + seconds * 1000),
    paused_at: null,
    laid_out: null,
    turn: queue.turn + 1n,
    note: "",
  };
  await moveQueue(tx, before, next, heardTo);
  if (queue.playlist_id !== null) await markPlayed(tx, queue.playlist_id, song.song_id, queue.run);
}

/** Durations are stored in whole seconds, rounded down, so one second is added. */
const secondsOf = async (sounds: QueuePorts["sounds"], { song_id, duration }: PlayableRow): Promise<number> =>
  (await sounds.of(song_id))?.seconds ?? duration + 1;

/**
 * Stores the queue's new state and records what was played so far.
 * @param heardTo song position up to which the previous song was played, s; beyond its end for a finished song
 */
export async function moveQueue(
  tx: Tx,
  before: QueueRow,
  next: NextQueue,
  heardTo: number = positionOf(before),
): Promise<void> {
  await storeQueue(tx, next);
  await notePlayed(tx, before, next, heardTo);
}

export async function tellQueue(tx: Tx, verb: string): Promise<void> {
  await tell(tx, QUEUE.noun, QUEUE.id, verb, { queue: toJson(ShowQueueSchema, await describeQueue(tx)) });
}

const NO_OUTAGE = { outage_since: null, outage_revision: null } as const;

/** Returns the queue with its song playing from a position on. */
export const resumed = (queue: QueueRow, position: number): QueueRow => ({
  ...withoutTalkPause(queue),
  ...placed(queue, position),
  ...NO_OUTAGE,
  mode: "playing",
  paused_at: null,
});

const stopped = (queue: QueueRow, note: string): QueueRow => ({
  ...withoutTalkPause(queue),
  ...NO_OUTAGE,
  mode: "stopped",
  song_id: null,
  started_at: null,
  ends_at: null,
  paused_at: null,
  laid_out: null,
  walk_in_db: null,
  note,
});

/**
 * Returns the quiet level for music that an operator starts. It continues while the talk is on; a talk that was not ended
 * after its event must not make the music of the next event quiet.
 */
async function talkAtStart(tx: Tx, { for_talk, talk_screen }: QueueRow): Promise<Omit<TalkState, "mode">> {
  const isQuiet = for_talk === "quiet" && talk_screen !== null && (await isTalkOn(tx, talk_screen));
  return isQuiet ? { for_talk, talk_screen } : { for_talk: null, talk_screen: null };
}

export async function described(tx: Tx, before: QueueRow, verb: string): Promise<Done<ShowQueue>> {
  const queue = await describeQueue(tx);
  const kept = {
    before: { mode: before.mode, playlist: before.playlist_id, song: before.song_id, for_talk: before.for_talk },
    after: {
      mode: queue.mode,
      playlist: queue.playlistId || null,
      song: queue.song?.id ?? null,
      for_talk: queue.forTalk || null,
    },
  };
  return done(queue, { ...QUEUE, verb, ...kept, payload: { queue: toJson(ShowQueueSchema, queue) } });
}
