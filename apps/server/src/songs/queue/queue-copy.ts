import type { QueueCopy } from "@followspot/contract";
import type { Db, Tx } from "../../platform/database/database.ts";
import { positionOf, tellQueue } from "./show-queue.ts";
import { lockQueue, readQueue, storeQueue, type NextQueue, type QueueRow } from "./show-queue.store.ts";

/** Largest change of a song's position that counts as network jitter and is not sent to the stage, s. */
const SAME_PLACE_SECONDS = 0.03;

/**
 * Returns a copy of the show queue for the other server of a standby pair.
 * @param turnThere turn of the other server's queue
 */
export async function readQueueCopy(db: Db, turnThere: number): Promise<QueueCopy> {
  const queue = await readQueue(db);
  const { mode, playlist_id, song_id, started_at, ends_at, laid_out, note, turn, run } = queue;
  const { repeats, gap_seconds, fade_seconds, walk_in_db, for_talk, talk_screen } = queue;
  const isOn = mode !== "stopped" && started_at !== null && ends_at !== null;
  const [play] = await db<{ id: string; heard_seconds: number }[]>`
    select id, heard_seconds + case when heard_from is null then 0
      else greatest(0, least(seconds, ${positionOf(queue)}) - heard_from) end as heard_seconds
    from played_songs where turn = ${turn.toString()}`;
  const isSameTurn = turn === BigInt(turnThere);
  return {
    ...{ mode, playlist_id, song_id, laid_out, repeats, gap_seconds, fade_seconds, walk_in_db, note },
    ...{ for_talk, talk_screen, turn: Number(turn), run: Number(run) },
    position: isOn ? positionOf(queue) : null,
    seconds: isOn ? (ends_at.getTime() - started_at.getTime()) / 1000 : null,
    play: isOn && play ? play : null,
    played: isSameTurn ? null : await playedIn(db, playlist_id, run),
  };
}

async function playedIn(db: Db, playlistId: string | null, run: bigint): Promise<string[]> {
  const rows = await db<{ song_id: string }[]>`
    select song_id from playlist_songs where playlist_id = ${playlistId} and played_in = ${run.toString()}`;
  return rows.map(({ song_id }) => song_id);
}

/**
 * Applies the other server's queue here, at the same song position. The other server records what is played.
 * @param ageSeconds age of the copy, s
 * @returns whether the queue changed, and what is missing on this server, as a sentence or ""
 */
export async function mirrorQueue(
  tx: Tx,
  copy: QueueCopy,
  ageSeconds: number,
): Promise<{ readonly isOther: boolean; readonly lack: string }> {
  const queue = await lockQueue(tx);
  const [known] = await tx<{ song: boolean; playlist: boolean; laid_out: boolean }[]>`
    select exists (select from songs where id = ${copy.song_id}) as song,
      exists (select from playlists where id = ${copy.playlist_id}) as playlist,
      exists (select from songs where id = ${copy.laid_out}) as laid_out`;
  const isUnknown = copy.mode !== "stopped" && !known!.song;
  const lack = isUnknown ? "The song that plays now is not here yet." : "";
  const next = isUnknown ? silence(queue, copy) : playing(queue, copy, ageSeconds);
  const mirrored = {
    ...next,
    playlist_id: known!.playlist ? copy.playlist_id : null,
    laid_out: known!.laid_out ? copy.laid_out : null,
  };
  if (isSame(queue, mirrored)) return { isOther: false, lack };
  if (copy.played !== null) await takePlayed(tx, copy);
  await storeQueue(tx, mirrored);
  await tellQueue(tx, "moved");
  return { isOther: true, lack };
}

/** Copies the run of the other server, so that songs already played in it are not played again. */
async function takePlayed(tx: Tx, { playlist_id, run, played }: QueueCopy): Promise<void> {
  await tx`
    update playlist_songs set played_in = case when song_id = any(${played ?? []}) then ${String(run)}::bigint else 0 end
    where playlist_id = ${playlist_id}
      and (played_in = ${String(run)}::bigint) <> (song_id = any(${played ?? []}))`;
}

const common = (queue: QueueRow, copy: QueueCopy) => ({
  ...queue,
  ...{ playlist_id: copy.playlist_id, laid_out: copy.laid_out, note: copy.note, repeats: copy.repeats },
  ...{ gap_seconds: copy.gap_seconds, fade_seconds: copy.fade_seconds, walk_in_db: copy.walk_in_db },
  ...{ for_talk: copy.for_talk, talk_screen: copy.talk_screen },
  ...{ turn: BigInt(copy.turn), run: BigInt(copy.run), outage_since: null, outage_revision: null },
});

/**
 * Returns a stopped queue with a note, which shows the default look: the other server plays, so the hall must not be
 * dark.
 */
const silence = (queue: QueueRow, copy: QueueCopy): NextQueue => ({
  ...common(queue, copy),
  ...{ mode: "stopped", song_id: null, started_at: null, ends_at: null, paused_at: null },
  note: "The other machine plays a song that is not here",
});

function playing(queue: QueueRow, copy: QueueCopy, ageSeconds: number): NextQueue {
  const { mode, song_id, position, seconds } = copy;
  if (mode === "stopped" || position === null || seconds === null)
    return {
      ...common(queue, copy),
      ...{ mode: "stopped", song_id, started_at: null, ends_at: null, paused_at: null },
    };
  const here = mode === "paused" ? position : position + ageSeconds;
  const start = queue.now.getTime() - here * 1000;
  const times = { started_at: new Date(start), ends_at: new Date(start + seconds * 1000) };
  return { ...common(queue, copy), ...times, mode, song_id, paused_at: mode === "paused" ? position : null };
}

const MIRRORED = [
  ...(["mode", "playlist_id", "song_id", "paused_at", "laid_out", "repeats", "gap_seconds", "fade_seconds"] as const),
  ...(["walk_in_db", "for_talk", "talk_screen", "note", "turn", "run", "outage_since", "outage_revision"] as const),
] as const;

/** Whether nothing changes except the song position, by less than is visible. */
function isSame(queue: QueueRow, next: NextQueue): boolean {
  if (!MIRRORED.every((name) => queue[name] === next[name])) return false;
  // A paused song keeps its position, whatever its start time.
  return queue.mode === "paused" || (isNear(queue.started_at, next.started_at) && isNear(queue.ends_at, next.ends_at));
}

const isNear = (a: Date | null, b: Date | null): boolean =>
  a && b ? Math.abs(a.getTime() - b.getTime()) < SAME_PLACE_SECONDS * 1000 : a === b;

/**
 * Continues recording the song that the other server started, as one played song: its record continues from the playing
 * time recorded there.
 */
export async function takeOverPlay(tx: Tx, play: QueueCopy["play"]): Promise<void> {
  const queue = await lockQueue(tx);
  // A reinstalled primary server counts its turns from 0.
  await tx`update played_songs set turn = null, heard_from = null where turn >= ${queue.turn.toString()} and id <> ${play?.id ?? ""}`;
  if (!play || queue.mode === "stopped" || !queue.started_at || !queue.ends_at) return;
  const seconds = (queue.ends_at.getTime() - queue.started_at.getTime()) / 1000;
  const heardFrom = queue.mode === "playing" ? Math.min(Math.max(0, positionOf(queue)), seconds) : null;
  await tx`
    insert into played_songs (id, turn, song_id, title, artist, seconds, started_at, ended_at, heard_seconds, heard_from,
      playlist, event_id)
    select ${play.id}, ${queue.turn.toString()}, id, title, artist, ${seconds}, ${queue.started_at}, ${queue.now},
      ${Math.min(play.heard_seconds, seconds)}, ${heardFrom},
      coalesce((select name from playlists where id = ${queue.playlist_id}), ''), (select event_id from box)
    from songs where id = ${queue.song_id}
    on conflict (id, community_id) do update set turn = excluded.turn, heard_from = excluded.heard_from,
      heard_seconds = greatest(played_songs.heard_seconds, excluded.heard_seconds)`;
}
