import type { Tx } from "../platform/database.ts";
import { conflict } from "../platform/errors.ts";
import { lockQueue } from "./show-queue.store.ts";

/**
 * Refuses to delete what plays: lamps would go on with a show whose sound is gone. Locks: the show queue, so that nothing
 * begins to play before the transaction ends.
 *
 * @throws failed_precondition if the song or the playlist plays or is paused
 */
export async function requireNotPlaying(tx: Tx, what: "song" | "playlist", id: string): Promise<void> {
  const queue = await lockQueue(tx);
  const playing = what === "song" ? queue.song_id : queue.playlist_id;
  if (queue.mode !== "stopped" && playing === id) throw conflict(`This ${what} plays right now. Stop the music first.`);
}
