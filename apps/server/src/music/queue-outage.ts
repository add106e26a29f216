import type { Sql, Tx } from "../platform/database.ts";
import { transact } from "../platform/transaction.ts";
import { addHeard } from "./played-songs.store.ts";
import { moveQueue, positionOf, resumed, tellQueue } from "./show-queue.ts";
import { lockQueue, type QueueRow } from "./show-queue.store.ts";

/** What a player says that it hears, by the queue as it was told to it. */
export interface HeardByPlayer {
  readonly song_id: string;
  /** Seconds of the song, now. */
  readonly position: number;
  readonly revision: number;
}

/**
 * Everything was away: the queue stands where it was heard last. It is held, and neither runs on by the clock of the wall nor
 * goes to its next song, until {@link goOnAfterOutage} or a person resumes it.
 * @param lastSeen when everything ran last
 * @returns since when a queue is held, which it may have been before; undefined where nothing played
 */
export async function holdAfterOutage(tx: Tx, lastSeen: Date): Promise<Date | undefined> {
  const queue = await lockQueue(tx);
  if (queue.mode !== "playing" || !queue.started_at) return queue.outage_since ?? undefined;
  const heardTo = positionOf({ ...queue, now: lastSeen });
  const held = { mode: "paused", outage_since: lastSeen, outage_revision: queue.revision } as const;
  // In the gap before a song nothing of it was heard: it begins.
  await moveQueue(tx, queue, { ...queue, ...held, paused_at: Math.max(0, heardTo) }, heardTo);
  await tellQueue(tx, "held");
  return lastSeen;
}

/** Goes on where the queue is held. @returns whether it was held */
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
 * The player at the PA was not away, and has played the same song on by itself: what is heard is where the song is, and there is
 * nothing to ask any more.
 * @returns whether the queue was moved
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

/** Whether nothing but an outage, and going on after it, happened to the queue since the player was told of it. */
function isUntouched(
  { mode, song_id, revision, outage_revision, outage_since, is_mirrored }: QueueRow,
  heard: HeardByPlayer,
): boolean {
  if (is_mirrored || mode === "stopped" || song_id !== heard.song_id || outage_revision !== BigInt(heard.revision))
    return false;
  // Held once; and resumed once where it is not held any more.
  return revision === outage_revision + (outage_since === null ? 2n : 1n);
}
