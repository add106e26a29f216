import type { PlanInputs } from "@followspot/contract";
import { hashOf } from "@followspot/lighting";
import type { Db } from "../../platform/database/database.ts";
import { inOrder } from "./playlists.store.ts";
import { readQueue } from "./show-queue.store.ts";

/** Number of earlier songs whose colors are passed to the planner. */
const REMEMBERED = 3;

/**
 * Returns the evening around a song: the songs before it in the playlist that is playing, and the progress of the night
 * at that point. Songs already played come first in playlist order, then the one that is playing, then upcoming ones.
 *
 * @returns undefined while nothing is playing, or if the song is not on that playlist
 */
export async function eveningOf(db: Db, songId: string): Promise<PlanInputs["evening"]> {
  const { mode, playlist_id, song_id: playing, run } = await readQueue(db);
  if (mode !== "playing" || playlist_id === null) return undefined;
  const songs = await db<{ id: string; duration: number; palette: string[]; scheme: string | null }[]>`
    select songs.id, songs.duration, songs.palette, revision.scheme
    from playlist_songs place join songs on songs.id = place.song_id and songs.deleted_at is null
    left join plan_revisions revision on (revision.song_id, revision.number) = (songs.id, songs.plan_number)
    where place.playlist_id = ${playlist_id}
    order by place.played_in <> ${run.toString()}, place.song_id = ${playing}, ${inOrder(db)}`;
  const at = songs.findIndex(({ id }) => id === songId);
  if (at < 0) return undefined;
  const earlier = songs.slice(0, at);
  const seconds = (some: typeof earlier) => some.reduce((sum, { duration }) => sum + duration, 0);
  return {
    before: earlier
      .toReversed()
      .filter(({ palette }) => palette.length > 0)
      .slice(0, REMEMBERED)
      .map(({ palette, scheme }) => ({ palette, ...(scheme && { scheme }) })),
    progress: seconds(earlier) / Math.max(1, seconds(songs)),
    seed: hashOf(playlist_id, run.toString()),
  };
}
