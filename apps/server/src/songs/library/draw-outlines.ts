import { songAnalysisSchema } from "@followspot/contract";
import type { Sql } from "../../platform/database/database.ts";
import { readCorrected } from "./correct-song.ts";
import type { SongFiles } from "../catalog/song-files.ts";
import { outlineOf } from "../catalog/song-outline.ts";
import { keepOutline, songsWithoutOutline } from "../catalog/songs.store.ts";

/**
 * Stores outlines for songs that were planned before song lists showed outlines. They are computed from the analysis.
 *
 * @returns number of stored outlines
 */
export async function drawOutlines(sql: Sql, files: SongFiles): Promise<number> {
  let drawn = 0;
  for (const id of await songsWithoutOutline(sql)) {
    const analysis = songAnalysisSchema.safeParse(await readCorrected(sql, files, id)).data;
    if (analysis && (await keepOutline(sql, id, outlineOf(analysis)))) drawn++;
  }
  return drawn;
}
