import type { Tx } from "../../platform/database/database.ts";
import { conflict } from "../../platform/errors.ts";
import { lockQueue } from "./show-queue.store.ts";

/**
 * Rejects the deletion of music that is playing: its show would continue without sound. Locks the show queue, so that
 * nothing starts before the transaction ends.
 *
 * @throws failed_precondition if the song or playlist is playing or paused
 */
export async function requireNotPlaying(tx: Tx, what: "song" | "playlist", id: string): Promise<void> {
  const queue = await lockQueue(tx);
  const playing = what === "song" ? queue.song_id : queue.playlist_id;
  if (queue.mode !== "stopped" && playing === id) throw conflict(`This ${what} plays right now. Stop the music first.`);
}
