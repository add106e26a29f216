import { songAnalysisSchema } from "@followspot/contract";
import type { Sql } from "../platform/database.ts";
import { readCorrected } from "./correct-song.ts";
import type { SongFiles } from "./song-files.ts";
import { outlineOf } from "./song-outline.ts";
import { keepOutline, songsWithoutOutline } from "./songs.store.ts";

/**
 * Songs that were planned before lists showed how they run have no outline: it is drawn from their analysis.
 *
 * @returns how many were drawn
 */
export async function drawOutlines(sql: Sql, files: SongFiles): Promise<number> {
  let drawn = 0;
  for (const id of await songsWithoutOutline(sql)) {
    const analysis = songAnalysisSchema.safeParse(await readCorrected(sql, files, id)).data;
    if (analysis && (await keepOutline(sql, id, outlineOf(analysis)))) drawn++;
  }
  return drawn;
}
