import { SONG_STEPS, type SongStep } from "@followspot/contract";
import type { Caller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { alreadyExists, conflict, notFound } from "../../platform/errors.ts";
import { isStepActive } from "../processing/song-jobs.store.ts";
import { cancelSteps, hurryStep, startStep } from "../processing/song-jobs.ts";
import { ytidOf, type Link } from "../processing/video-link.ts";
import { requireNotPlaying } from "../queue/what-plays.ts";
import { findSong, lockSong, setSongDeleted, songEntry, updateSong, type SongRow } from "../catalog/songs.store.ts";

/**
 * Queues one step of a song again. Earlier results stay, and the later steps follow. Does nothing while the step is
 * already running.
 * @param link new source of the download; only for a song that was added by link
 */
export async function retrySong(sql: Sql, caller: Caller, id: string, from: SongStep, link?: Link): Promise<SongRow> {
  const retried = change(sql, caller, async (tx) => {
    // The lock serializes concurrent retries, so that the second one finds the job of the first.
    const song = await requireSong(tx, id);
    if (from !== "download" && !song.downloaded_at)
      throw conflict("The sound of this song is not here yet. Use Retry Download.");
    if (from === "download" && song.url === "" && song.source_file === "")
      throw conflict(
        "The uploaded file of this song is not kept any more; its sound is. Use Retry Analysis, or upload the file again.",
      );
    const isMoved = link !== undefined && link.url !== song.url;
    if (isMoved && (await isStepActive(tx, id, from)))
      throw conflict("This song is being downloaded from its old link. Cancel it first, then change the link.");
    if (isMoved) {
      // The title of an unnamed song is its link.
      const isUnnamed = song.title === song.url;
      await updateSong(tx, id, { url: link.url, ytid: ytidOf(link), ...(isUnnamed && { title: link.url }) });
    }
    // A waiting job becomes due immediately.
    if (!(await hurryStep(tx, id, from)) && (await isStepActive(tx, id, from))) return done(song);
    if (from === "lighting" && song.analysis_status !== "ready")
      throw conflict("This song is not analysed yet. Use Retry Analysis.");
    const others = SONG_STEPS.filter((step) => step !== from);
    // Stems of the old audio are useless; a new plan does not affect them.
    await cancelSteps(tx, id, from === "lighting" ? others : [...others, "stems"]);
    await startStep(tx, id, from, caller.userId);
    const started = await readAgain(tx, song);
    const told = isMoved
      ? { before: { url: song.url }, after: { step: from, url: link.url } }
      : { after: { step: from } };
    return done(started, songEntry(started, "retried", told));
  });
  return retried.catch((error: unknown) => {
    if (isTaken(error)) throw alreadyExists("Another song came from this link already.");
    throw error;
  });
}

/** Whether a unique index rejected the row: another song has the same video or file. */
const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === "23505";

/** Cancels the work on a song. Finished steps stay; the canceled step is set to error and can be retried. */
export async function cancelSong(sql: Sql, caller: Caller, id: string): Promise<SongRow> {
  return change(sql, caller, async (tx) => {
    const song = await requireSong(tx, id);
    if ((await cancelSteps(tx, id)) === 0) return done(song);
    const stopped =
      song.step === "lighting"
        ? ({ lighting_status: "error" } as const)
        : ({ analysis_status: "error", lighting_status: "pending" } as const);
    await updateSong(tx, id, { ...stopped, error_message: "Cancelled" });
    const cancelled = await readAgain(tx, song);
    return done(cancelled, songEntry(cancelled, "cancelled", { after: { step: song.step } }));
  });
}

/**
 * Cancels running work and hides the song. Its files are deleted when it can no longer be restored.
 *
 * @throws failed_precondition if the song is playing
 */
export async function deleteSong(sql: Sql, caller: Caller, id: string): Promise<void> {
  await change(sql, caller, async (tx) => {
    const song = await requireSong(tx, id);
    await cancelSteps(tx, id);
    await requireNotPlaying(tx, "song", id);
    await setSongDeleted(tx, id, true);
    return done(undefined, songEntry(song, "deleted", { before: { title: song.title } }));
  });
}

/** Restores a deleted song and queues its first unfinished step. */
export async function restoreSong(sql: Sql, caller: Caller, id: string): Promise<SongRow> {
  const restored = change(sql, caller, async (tx) => {
    if (!(await setSongDeleted(tx, id, false))) throw notFound("Deleted song", id);
    const song = await requireSong(tx, id);
    const left = firstUnfinished(song);
    if (left) await startStep(tx, id, left);
    const back = await readAgain(tx, song);
    return done(back, songEntry(back, "restored", { after: { title: back.title } }));
  });
  return restored.catch((error: unknown) => {
    if (isTaken(error))
      throw alreadyExists("The same video or file was added again meanwhile; that song is in the list.");
    throw error;
  });
}

function firstUnfinished(song: SongRow): SongStep | undefined {
  if (!song.downloaded_at) return "download";
  if (song.analysis_status !== "ready") return "analysis";
  return song.lighting_status === "ready" ? undefined : "lighting";
}

async function requireSong(tx: Tx, id: string): Promise<SongRow> {
  const song = await lockSong(tx, id);
  if (!song) throw notFound("Song", id);
  return song;
}

/** Reads the row again after changes by this transaction, which holds its lock. */
const readAgain = async (tx: Tx, song: SongRow): Promise<SongRow> => (await findSong(tx, song.id)) ?? song;
