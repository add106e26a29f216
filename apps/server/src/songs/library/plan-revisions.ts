import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Db, Sql } from "../../platform/database/database.ts";
import { conflict, notFound } from "../../platform/errors.ts";
import { findRevision } from "../catalog/plan-revisions.store.ts";
import { planName, type SongFiles } from "../catalog/song-files.ts";
import { cancelSteps } from "../processing/song-jobs.ts";
import { findWishes, storeWishes } from "../catalog/song-wishes.store.ts";
import { findSong, lockSong, songEntry, updateSong, type SongRow } from "../catalog/songs.store.ts";

/** Reads the plan file of a song's current show; undefined without one. */
export async function readPlan(db: Db, files: SongFiles, songId: string): Promise<unknown> {
  const song = await findSong(db, songId);
  return song && files.readJson(songId, planName(song.plan_number));
}

/**
 * Makes an earlier plan the current one, unchanged, and stores the show settings it was made from. Nothing is planned;
 * a plan in progress is canceled. Restoring the current plan changes nothing. Lock order: the song, then its jobs.
 */
export async function restoreRevision(
  sql: Sql,
  files: SongFiles,
  caller: Caller,
  songId: string,
  number: number,
): Promise<{ song: SongRow; wishesRevision: number }> {
  return change(sql, caller, async (tx) => {
    const song = await lockSong(tx, songId);
    if (!song) throw notFound("Song", songId);
    const revision = await findRevision(tx, songId, number);
    if (!revision) throw notFound("Show of this song", String(number));
    if (song.analysis_status !== "ready")
      throw conflict("This song is being analysed again. Restore a show when that is done.");
    if (!(await files.stat(songId, planName(number))))
      throw conflict("The file of this show is not there any more. Restore another one, or plan the song again.");
    const stored = await findWishes(tx, songId);
    const isSame = isDeepStrictEqual(stored.wishes, revision.wishes);
    if (song.plan_number === number && song.lighting_status === "ready" && isSame)
      return done({ song, wishesRevision: stored.revision });
    await cancelSteps(tx, songId, ["lighting"]);
    const wishesRevision = isSame ? stored.revision : await storeWishes(tx, songId, revision.wishes, []);
    await updateSong(tx, songId, {
      plan_number: number,
      lighting_status: "ready",
      error_message: "",
      palette: revision.palette,
      show_remark: revision.remark,
    });
    const after = (await findSong(tx, songId)) ?? song;
    const shows = { before: { show: song.plan_number }, after: { show: number } };
    return done({ song: after, wishesRevision }, songEntry(after, "reverted", shows));
  });
}
