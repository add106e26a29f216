import { isDeepStrictEqual } from "node:util";
import { correctAnalysis, correctionsFit } from "@followspot/analysis/correct-analysis";
import {
  songAnalysisSchema,
  songCorrectionsSchema,
  type SongAnalysis,
  type SongCorrections,
} from "@followspot/contract";
import type { Caller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Db, Sql } from "../../platform/database/database.ts";
import { conflict, invalid, notFound, overtaken } from "../../platform/errors.ts";
import { findCorrections, storeCorrections } from "../catalog/song-corrections.store.ts";
import type { SongFiles } from "../catalog/song-files.ts";
import { isStepActive } from "../processing/song-jobs.store.ts";
import { startStep } from "../processing/song-jobs.ts";
import { findSong, lockSong, songEntry, type SongRow } from "../catalog/songs.store.ts";

/**
 * Stores a user's corrections and queues planning of the song, in one transaction. Saving the same corrections again,
 * for example after a lost response, changes nothing.
 *
 * @param madeOn revision the edits are based on; any other than the current one is rejected
 * @returns the song and the revision that is stored now
 */
export async function saveCorrections(
  sql: Sql,
  caller: Caller,
  songId: string,
  corrections: SongCorrections,
  madeOn: number,
): Promise<{ revision: number; song: SongRow }> {
  return change(sql, caller, async (tx) => {
    // The lock serializes two saves, so that the second one reads the revision of the first.
    const song = await lockSong(tx, songId);
    if (!song) throw notFound("Song", songId);
    if (song.analysis_status !== "ready")
      throw conflict("This song is not analysed yet. Save again when its analysis is ready.");
    const before = await findCorrections(tx, songId);
    if (isDeepStrictEqual(before?.corrections, corrections)) return done({ revision: before?.revision ?? 0, song });
    if ((before?.revision ?? 0) !== madeOn)
      throw overtaken("Another person corrected this song meanwhile. Load their corrections, then make yours again.");
    const revision = madeOn + 1;
    await storeCorrections(tx, songId, corrections, revision);
    // A running plan is based on the old revision; it is planned again when it reports.
    if (!(await isStepActive(tx, songId, "lighting"))) await startStep(tx, songId, "lighting", caller.userId);
    const changed = (await findSong(tx, songId)) ?? song;
    const entry = songEntry(changed, "corrected", {
      before: { revision: madeOn, edits: before?.corrections.edits.length ?? 0 },
      after: { revision, edits: corrections.edits.length },
    });
    return done({ revision, song: changed }, entry);
  });
}

/** @throws invalid if the text is not a valid set of corrections */
export function parseCorrections(json: string): SongCorrections {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalid("correctionsJson: is not JSON");
  }
  const parsed = songCorrectionsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`correctionsJson: ${issue?.path.join(".") || "it"}: ${issue?.message ?? "not a set of corrections"}`);
}

/** Returns whether the corrections apply to the latest analysis, with an explanation for the user. */
export function describeFit(heard: SongAnalysis | undefined, corrections: SongCorrections): [boolean, string] {
  if (corrections.edits.length === 0) return [true, "Nothing is corrected"];
  if (heard && !correctionsFit(heard, corrections))
    return [
      false,
      "The song was analysed again and its beats moved: corrections of tempo and bars are kept but not in use.",
    ];
  return [true, "The corrections are in use"];
}

/** Reads the uncorrected analysis from hybrid.json; undefined if the file is missing or invalid. */
export async function readHeard(files: SongFiles, songId: string): Promise<SongAnalysis | undefined> {
  return songAnalysisSchema.safeParse(await files.readJson(songId, "hybrid.json")).data;
}

/** Reads the analysis with corrections applied, for all readers except the correction editor. */
export async function readCorrected(db: Db, files: SongFiles, songId: string): Promise<unknown> {
  const stored = await findCorrections(db, songId);
  const file = await files.readJson(songId, "hybrid.json");
  const heard = stored && songAnalysisSchema.safeParse(file).data;
  return heard ? correctAnalysis(heard, stored.corrections) : file;
}
