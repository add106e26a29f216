import { SONG_STEPS, type SongStep } from "@followspot/contract";
import type { Caller } from "../platform/caller.ts";
import { change, done } from "../platform/change.ts";
import type { Sql, Tx } from "../platform/database.ts";
import { alreadyExists, conflict, notFound } from "../platform/errors.ts";
import { isStepActive } from "./song-jobs.store.ts";
import { cancelSteps, hurryStep, startStep } from "./song-jobs.ts";
import { ytidOf, type Link } from "./video-link.ts";
import { requireNotPlaying } from "./what-plays.ts";
import { findSong, lockSong, setSongDeleted, songEntry, updateSong, type SongRow } from "./songs.store.ts";

/**
 * Queues one step of a song again; earlier results are kept, the steps after it follow.
 * Pressed again while that step is at work it changes nothing.
 * @param link where the download finds the song from now on; only for a song that came from a link
 */
export async function retrySong(sql: Sql, caller: Caller, id: string, from: SongStep, link?: Link): Promise<SongRow> {
  const retried = change(sql, caller, async (tx) => {
    // The lock puts two presses in order, so that the second sees the first one's job.
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
      // A song without a name is called by its link.
      const isUnnamed = song.title === song.url;
      await updateSong(tx, id, { url: link.url, ytid: ytidOf(link), ...(isUnnamed && { title: link.url }) });
    }
    // One that waits is tried at once.
    if (!(await hurryStep(tx, id, from)) && (await isStepActive(tx, id, from))) return done(song);
    if (from === "lighting" && song.analysis_status !== "ready")
      throw conflict("This song is not analysed yet. Use Retry Analysis.");
    const others = SONG_STEPS.filter((step) => step !== from);
    // Stems of the old sound are of no use; a new plan leaves them alone.
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

/** A video or file is one song: the unique indexes say so. */
const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === "23505";

/** Stops the work on a song; finished steps stay, the step that was stopped is in error and can be retried. */
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
 * Cancels what is at work and hides the song. Its files go when it can no longer be brought back.
 *
 * @throws failed_precondition if the song plays
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

/** Brings a deleted song back and goes on with the first step that is not finished. */
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

/** The row after what this transaction did to it; it is held, so it is there. */
const readAgain = async (tx: Tx, song: SongRow): Promise<SongRow> => (await findSong(tx, song.id)) ?? song;
