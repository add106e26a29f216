import { MusicService } from "@followspot/contract/music";
import type { Call } from "../lib/list-source.ts";
import type { RetryTarget } from "../lib/retry-song.ts";
import { failedStep } from "../music/song-steps.ts";

/** Rows per page; the contract's maximum. */
const PAGE_ROWS = 200;

/** Reads every failed song with the step that failed. */
export async function failedSongs(call: Call): Promise<readonly RetryTarget[]> {
  const targets: RetryTarget[] = [];
  let pageToken = "";
  do {
    const list = { filter: "error", pageSize: PAGE_ROWS, pageToken };
    const { songs, nextPageToken } = await call(MusicService.method.listSongs, { list });
    targets.push(...songs.map((song) => ({ songId: song.id, step: failedStep(song) })));
    pageToken = nextPageToken;
  } while (pageToken !== "");
  return targets;
}
