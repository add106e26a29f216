import { SONG_STEPS, type SongStep } from "@followspot/contract";
import { z } from "zod";
import { findSong } from "../../songs/catalog/songs.store.ts";
import type { Sql } from "../../platform/database/database.ts";
import { failedTarget } from "./failure-log.ts";
import type { ReadMessage } from "./stream-messages.ts";

/** The job of a failure, in the form that users edit before a retry. */
export interface FailedJob {
  readonly song_id: string;
  readonly step: SongStep;
  /** Source of the download; undefined for an uploaded file. */
  readonly url?: string;
}

const payload = z.strictObject({
  song_id: z.string(),
  step: z.enum(SONG_STEPS),
  url: z.string().min(1).max(2000).optional(),
});

/** @returns undefined if the message is not a failure, or its song or step cannot be retried */
export async function failedJob(sql: Sql, { subject, json }: ReadMessage): Promise<FailedJob | undefined> {
  const target = subject.startsWith("failures.") ? failedTarget(subject, json) : undefined;
  const song = target && (await findSong(sql, target.songId));
  if (!target || !song) return undefined;
  return { song_id: song.id, step: target.step, ...(song.url && { url: song.url }) };
}

/** Validates an edited job. Returns the job, or a sentence that names the invalid field. */
export function readJob(edited: unknown, original: FailedJob): FailedJob | string {
  const { data, error } = payload.safeParse(edited);
  if (!data) {
    const [issue] = error.issues;
    return `${issue && issue.path.length > 0 ? issue.path.join(".") : "all of it"}: ${issue?.message}`;
  }
  const { song_id, step, url } = data;
  if (song_id !== original.song_id) return "song_id: must stay the song that failed";
  const isSameLink = url === undefined || url === original.url;
  if (!isSameLink && original.url === undefined) return "url: this song was uploaded, it has no link";
  if (!isSameLink && step !== "download") return "url: only a download starts from another link";
  return { song_id, step, ...(url !== undefined && { url }) };
}
