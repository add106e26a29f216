import { SONG_STEPS, type SongStep } from "@followspot/contract";
import type { Sql } from "../platform/database.ts";
import { conflict, notFound } from "../platform/errors.ts";
import { cancelSteps, startStep } from "./song-jobs.ts";
import { announceSong, findSong, type SongRow } from "./songs.store.ts";

/**
 * Puts a song back on the line at one step; earlier results are kept, the steps after it follow.
 * Pressed again while that step is at work it changes nothing.
 */
export async function retrySong(sql: Sql, id: string, from: SongStep): Promise<SongRow> {
  return sql.begin(async (tx) => {
    // The row lock puts two presses in order, so that the second sees the first one's job.
    const [song] = await tx`select downloaded_at, analysis_status from songs where id = ${id} for update`;
    if (!song) throw notFound("Song", id);
    if (from !== "download" && !song.downloaded_at)
      throw conflict("The sound of this song is not here yet. Use Retry Download.");
    const isActive =
      (
        await tx`
      select 1 from song_jobs where song_id = ${id} and step = ${from} and state in ('queued', 'running')`
      ).length > 0;
    if (!isActive) {
      if (from === "lighting" && song.analysis_status !== "ready") {
        throw conflict("This song is not analysed yet. Use Retry Analysis.");
      }
      const others = SONG_STEPS.filter((step) => step !== from);
      // Stems of the old sound are of no use; a new plan leaves them alone.
      await cancelSteps(tx, id, from === "lighting" ? others : [...others, "stems"]);
      await startStep(tx, id, from);
      await announceSong(tx, id);
    }
    return foundOr404(await findSong(tx, id), id);
  });
}

/** Stops the work on a song; finished steps stay, the step that was stopped is in error and can be retried. */
export async function cancelSong(sql: Sql, id: string): Promise<SongRow> {
  return sql.begin(async (tx) => {
    const song = foundOr404(await findSong(tx, id), id);
    if ((await cancelSteps(tx, id)) > 0) {
      const stopped =
        song.step === "lighting"
          ? tx`lighting_status = 'error'`
          : tx`analysis_status = 'error', lighting_status = 'pending'`;
      await tx`update songs set ${stopped}, error_message = 'Cancelled', updated_at = now() where id = ${id}`;
      await announceSong(tx, id);
    }
    return foundOr404(await findSong(tx, id), id);
  });
}

function foundOr404(song: SongRow | undefined, id: string): SongRow {
  if (!song) throw notFound("Song", id);
  return song;
}
