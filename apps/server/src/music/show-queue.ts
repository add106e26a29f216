import { create, toJson } from "@bufbuild/protobuf";
import type { StageQueue } from "@followspot/contract";
import { ShowQueueSchema, SkipSchema, type ShowQueue, type Skip } from "@followspot/contract/music";
import type { Caller } from "../platform/caller.ts";
import { change, done, type Done } from "../platform/change.ts";
import type { Db, Sql, Tx } from "../platform/database.ts";
import { conflict, notFound } from "../platform/errors.ts";
import { tell } from "../platform/outbox.ts";
import { timestampOf } from "../platform/timestamps.ts";
import { transact } from "../platform/transaction.ts";
import { addHeard, notePlayed, setPlayStart } from "./played-songs.store.ts";
import { findPlaylist, findWalkIn } from "./playlists.store.ts";
import {
  findPlayable,
  lockQueue,
  markPlayed,
  playableOf,
  readQueue,
  storeQueue,
  type NextQueue,
  type PlayableRow,
  type QueueRow,
} from "./show-queue.store.ts";
import type { SongSounds } from "./song-sounds.ts";
import { findSong, songFromRow } from "./songs.store.ts";

/** The one queue, as audit log and envelopes name it. */
const QUEUE = { noun: "queue", id: "show" } as const;
const LAST_SONG_OVER = "The last song is over";
/** Marks a song of a playlist as not played. Runs count from 1. */
const NO_RUN = 0n;
/** Songs told as coming next. */
const NEXT_TOLD = 3;
/** Of a song that is played alone. */
const USUAL = { gap_seconds: 2, fade_seconds: 1.5 };
/** Sound that is this far from where its song is stored to be moves what is stored; nearer, the lamps alone follow it. */
export const MOVED_SECONDS = 0.15;

export interface QueuePorts {
  readonly sql: Sql;
  readonly sounds: Pick<SongSounds, "of">;
}

export interface PlaylistStart {
  readonly playlistId: string;
  /** Empty: the first by votes. */
  readonly songId: string;
  readonly repeats: boolean;
  readonly gapSeconds?: number | undefined;
  readonly fadeSeconds?: number | undefined;
}

/** The queue for a press. @throws failed_precondition where another machine moves it */
async function lockOwnQueue(tx: Tx): Promise<QueueRow> {
  const queue = await lockQueue(tx);
  requireOwn(queue);
  return queue;
}

function requireOwn({ is_mirrored }: QueueRow): void {
  if (is_mirrored)
    throw conflict("The other machine drives the lamps: press there, or take the lamps here first, on Tonight.");
}

/** Starts a playlist from its first song, or from one of it. */
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
    };
    await startSong(tx, ports, queue, first, queue.now, { settings });
    return described(tx, queue, "started");
  });
}

/** Plays the walk-in music over and over; while it plays already, it changes nothing. */
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
    const settings = { playlist_id, gap_seconds, fade_seconds, walk_in_db, repeats: true, run };
    await startSong(tx, ports, queue, first, queue.now, { settings });
    return described(tx, queue, "started");
  });
}

/** Ends the walk-in music; while something else plays, or nothing, it changes nothing. */
export function stopWalkIn(sql: Sql, caller: Caller): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockOwnQueue(tx);
    if (!isWalkIn(queue)) return done(await describeQueue(tx));
    // With a note: people are in the hall, so lamps go to the house look.
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
    const settings = { ...USUAL, playlist_id: null, walk_in_db: null, repeats: false };
    await startSong(tx, ports, queue, song, queue.now, { settings });
    return described(tx, queue, "started");
  });
}

/** The queue after a skip, and what {@link undoSkip} needs; without a skip if another song plays already. */
interface SkipResult {
  readonly queue: ShowQueue;
  readonly skip?: Skip;
}

/** @param songId the song to skip; if another one plays already, nothing is skipped */
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
 * Resumes a skipped song where it was. The song that followed it comes next again.
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
      // A repeated playlist may have begun its next run with the skip: then the song has been played in the run before.
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

/** Holds the song where it is; paused already, it changes nothing. */
export function pauseMusic(sql: Sql, caller: Caller): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockOwnQueue(tx);
    if (queue.mode === "stopped" || !queue.started_at) throw conflict("Nothing plays. Start a playlist first.");
    if (queue.mode === "paused") return done(await describeQueue(tx));
    await moveQueue(tx, queue, { ...queue, mode: "paused", paused_at: positionOf(queue) });
    return described(tx, queue, "paused");
  });
}

/** Goes on from where the song was paused; playing already, it changes nothing. */
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
 * Jumps within the song, also while it is paused.
 * @param songId the song that is meant; another one plays already: nothing is moved
 * @param position seconds of the song; beyond its end it is over
 */
export function seekMusic(sql: Sql, caller: Caller, songId: string, position: number): Promise<ShowQueue> {
  return change(sql, caller, async (tx) => {
    const queue = await lockOwnQueue(tx);
    if (queue.mode === "stopped") throw conflict("Nothing plays. Start a playlist first.");
    if (songId !== "" && songId !== queue.song_id) return done(await describeQueue(tx));
    const moved = queue.mode === "paused" ? { paused_at: position } : placed(queue, position);
    await moveQueue(tx, queue, { ...queue, ...moved, laid_out: null });
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

/** Follows a song that is over with the next one. Any number of processes may ask: one of them does it. */
export async function advanceQueue(ports: QueuePorts): Promise<boolean> {
  // Asked four times a second: the row is held only by those who may have to change it.
  if (!isNextDue(await readQueue(ports.sql))) return false;
  return transact(ports.sql, async (tx) => {
    const queue = await lockQueue(tx);
    if (!isNextDue(queue)) return false;
    const { ends_at, now } = queue;
    const gap = gapAfter(queue);
    // From the end of the song and not from now: the night's timing does not drift. After an outage it is now.
    const late = now.getTime() - ends_at.getTime();
    const pauseMs = Math.max(0, gap) * 1000;
    const at = late < pauseMs + 1000 ? ends_at.getTime() + gap * 1000 : now.getTime() + pauseMs;
    await goOn(tx, ports, queue, new Date(at), Number.POSITIVE_INFINITY);
    await tellQueue(tx, "advanced");
    return true;
  });
}

/**
 * The player at the PA is somewhere else in the song than is stored: it began late, or stood for a moment. What is heard is
 * what counts.
 * @param heard the queue as it was told to the player: where it was changed since, nothing is moved
 * @param position song second that is heard now
 * @returns whether the queue was moved
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

/** What the player has laid out comes next, whatever is voted from now on. */
export async function keepLaidOut(sql: Sql, turn: bigint, songId: string): Promise<void> {
  await sql`
    update show_queue set laid_out = ${songId}
    where mode = 'playing' and turn = ${turn.toString()} and exists (select from songs where id = ${songId})`;
}

/** The player played on by itself while it did not reach the server: what it plays is what plays. */
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
    // A queue that is held was heard on, to the end of its song.
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

/** Songs the player has played whole before this one, and when each began; none where there was no time for them. */
async function playedBetween(tx: Tx, { sounds }: QueuePorts, queue: QueueRow, songId: string, at: number) {
  // A player knows of no more.
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

/** A person took the lamps from the queue: it stops, and says why. */
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
  });
}

/** The queue as the stage follows it. */
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

/** Song second that is heard when the queue was read; below 0 in the gap before the song. */
export function positionOf({ started_at, paused_at, now }: QueueRow): number {
  return paused_at ?? (started_at ? secondsBetween(started_at, now) : 0);
}

/** Seconds from the end of a song to the next one, below 0 before it: of a short song at most its second half. */
export function gapAfter({ gap_seconds, started_at, ends_at }: QueueRow): number {
  const lasts = started_at && ends_at ? secondsBetween(started_at, ends_at) : 0;
  return Math.max(gap_seconds, Math.min(0, -lasts / 2));
}

const isWalkIn = ({ mode, walk_in_db }: QueueRow): boolean => mode !== "stopped" && walk_in_db !== null;

/** Whether the next song begins: at the end of this one, or before it where the two are heard together. */
function isNextDue(queue: QueueRow): queue is QueueRow & { readonly ends_at: Date } {
  const { mode, ends_at, now, is_mirrored } = queue;
  return !is_mirrored && mode === "playing" && ends_at !== null && ends_at.getTime() + Math.min(0, gapAfter(queue)) * 1000 <= now.getTime(); // prettier-ignore
}

/** Songs that come next, in their order: what a player has laid out first. */
export async function comingOf(db: Db, queue: QueueRow): Promise<readonly PlayableRow[]> {
  if (queue.playlist_id === null) return [];
  const left = await playableOf(db, queue.playlist_id, queue.run);
  // Where the playlist repeats, every song is there again after the last.
  const again = queue.repeats ? await playableOf(db, queue.playlist_id, queue.run + 1n) : [];
  const coming = [...left, ...again];
  const laidOut = coming.findIndex(({ song_id }) => song_id === queue.laid_out);
  return laidOut > 0 ? [coming[laidOut]!, ...coming.toSpliced(laidOut, 1)] : coming;
}

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

/** When the song begins and ends, if its second `position` is now. */
export function placed(
  { started_at, ends_at, now }: QueueRow,
  position: number,
): Pick<QueueRow, "started_at" | "ends_at"> {
  const lasts = started_at && ends_at ? ends_at.getTime() - started_at.getTime() : 0;
  const start = now.getTime() - position * 1000;
  return { started_at: new Date(start), ends_at: new Date(start + lasts) };
}

/** The next song of the run; of a new run where the playlist repeats; the end where there is none. */
async function goOn(tx: Tx, ports: QueuePorts, queue: QueueRow, at: Date, heardTo?: number): Promise<void> {
  const [next] = await comingOf(tx, queue);
  if (!next) return moveQueue(tx, queue, stopped(queue, LAST_SONG_OVER), heardTo);
  const isOfRun = (await playableOf(tx, queue.playlist_id!, queue.run)).some(({ song_id }) => song_id === next.song_id);
  await startSong(tx, ports, queue, next, at, { settings: { run: isOfRun ? queue.run : queue.run + 1n }, heardTo });
}

interface SongStart {
  /** What of the queue changes with the song. */
  readonly settings?: Partial<QueueRow>;
  /** As {@link moveQueue} has it. */
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
    ...queue,
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

/** A duration is told in whole seconds, and the last one may be begun. */
const secondsOf = async (sounds: QueuePorts["sounds"], { song_id, duration }: PlayableRow): Promise<number> =>
  (await sounds.of(song_id))?.seconds ?? duration + 1;

/**
 * Stores what plays from now on, and writes down what was played until now.
 * @param heardTo song second up to which the song of before was heard; a song that is over: to its end
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

/** The song of a queue that stands, playing from a second of it on. */
export const resumed = (queue: QueueRow, position: number): QueueRow => ({
  ...queue,
  ...placed(queue, position),
  ...NO_OUTAGE,
  mode: "playing",
  paused_at: null,
});

const stopped = (queue: QueueRow, note: string): QueueRow => ({
  ...queue,
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

async function described(tx: Tx, before: QueueRow, verb: string): Promise<Done<ShowQueue>> {
  const queue = await describeQueue(tx);
  const kept = {
    before: { mode: before.mode, playlist: before.playlist_id, song: before.song_id },
    after: { mode: queue.mode, playlist: queue.playlistId || null, song: queue.song?.id ?? null },
  };
  return done(queue, { ...QUEUE, verb, ...kept, payload: { queue: toJson(ShowQueueSchema, queue) } });
}
