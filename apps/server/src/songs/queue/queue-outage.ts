import type { Sql, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { addHeard } from "./played-songs.store.ts";
import { moveQueue, positionOf, resumed, tellQueue } from "./show-queue.ts";
import { lockQueue, type QueueRow } from "./show-queue.store.ts";

/** What a player reports as playing, based on the queue revision it received. */
export interface HeardByPlayer {
  readonly song_id: string;
  /** Current song position, s. */
  readonly position: number;
  readonly revision: number;
}

/**
 * Holds the queue where it was last played after an outage of the whole server. Until {@link goOnAfterOutage} or a
 * manual resume, the queue neither advances by wall-clock time nor starts its next song.
 * @param lastSeen when everything last ran
 * @returns since when the queue is held, which may be an earlier outage; undefined if nothing was playing
 */
export async function holdAfterOutage(tx: Tx, lastSeen: Date): Promise<Date | undefined> {
  const queue = await lockQueue(tx);
  if (queue.mode !== "playing" || !queue.started_at) return queue.outage_since ?? undefined;
  const heardTo = positionOf({ ...queue, now: lastSeen });
  const held = { mode: "paused", outage_since: lastSeen, outage_revision: queue.revision } as const;
  // In the gap before a song nothing of it has been played, so it starts at its beginning.
  await moveQueue(tx, queue, { ...queue, ...held, paused_at: Math.max(0, heardTo) }, heardTo);
  await tellQueue(tx, "held");
  return lastSeen;
}

/**
 * Resumes the queue where it is held.
 * @returns whether it was held
 */
export function goOnAfterOutage(sql: Sql): Promise<boolean> {
  return transact(sql, async (tx) => {
    const queue = await lockQueue(tx);
    if (queue.mode !== "paused" || queue.outage_since === null) return false;
    const { outage_revision } = queue;
    await moveQueue(tx, queue, { ...resumed(queue, queue.paused_at ?? 0), outage_revision });
    await tellQueue(tx, "resumed");
    return true;
  });
}

/**
 * Adopts the position of the player at the PA, which kept playing the same song during the outage. No manual decision
 * is needed then.
 * @returns whether the queue changed
 */
export function adoptAfterOutage(sql: Sql, heard: HeardByPlayer): Promise<boolean> {
  return transact(sql, async (tx) => {
    const queue = await lockQueue(tx);
    if (!isUntouched(queue, heard)) return false;
    if (queue.outage_since !== null && queue.paused_at !== null)
      await addHeard(tx, queue.turn, queue.paused_at, heard.position, queue.now);
    await moveQueue(tx, queue, resumed(queue, heard.position), heard.position);
    await tellQueue(tx, "resumed");
    return true;
  });
}

/** Whether only an outage, and the resume after it, changed the queue since the player received it. */
function isUntouched(
  { mode, song_id, revision, outage_revision, outage_since, is_mirrored }: QueueRow,
  heard: HeardByPlayer,
): boolean {
  if (is_mirrored || mode === "stopped" || song_id !== heard.song_id || outage_revision !== BigInt(heard.revision))
    return false;
  // One revision for the hold; one more for the resume if it is no longer held.
  return revision === outage_revision + (outage_since === null ? 2n : 1n);
}
