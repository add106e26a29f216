import { Code, ConnectError } from "@connectrpc/connect";
import { retrySong } from "../../songs/library/change-song.ts";
import { failedSteps } from "../../songs/processing/song-jobs.store.ts";
import type { Caller } from "../../platform/caller.ts";
import type { Sql } from "../../platform/database/database.ts";
import type { Failure } from "./failure-log.ts";

/** What became of the failures, each counted once. */
export interface Retried {
  readonly retried: number;
  readonly recovered: number;
  readonly deleted: number;
}

/**
 * Retries the songs whose last step is the one that failed here. A failure is kept for a month: most of its songs have
 * been retried since, and a song that is well must not start again.
 */
export async function retryFailures(sql: Sql, caller: Caller, failures: readonly Failure[]): Promise<Retried> {
  const songs = failures.flatMap(({ target }) => (target ? [target.songId] : []));
  const failed = await failedSteps(sql, songs);
  const counts = { retried: 0, recovered: 0, deleted: 0 };
  for (const { target } of failures) {
    if (!target || !failed.has(target.songId)) counts.deleted++;
    else if (failed.get(target.songId) !== target.step) counts.recovered++;
    else {
      counts[await retryOne(sql, caller, target)]++;
      // Another failure of the same song is no second retry.
      failed.set(target.songId, undefined);
    }
  }
  return counts;
}

async function retryOne(
  sql: Sql,
  caller: Caller,
  { songId, step }: NonNullable<Failure["target"]>,
): Promise<keyof Retried> {
  try {
    await retrySong(sql, caller, songId, step);
    return "retried";
  } catch (error) {
    // Deleted, or put on another step, since it was looked at.
    if (error instanceof ConnectError && error.code === Code.NotFound) return "deleted";
    if (error instanceof ConnectError && error.code === Code.FailedPrecondition) return "recovered";
    throw error;
  }
}
