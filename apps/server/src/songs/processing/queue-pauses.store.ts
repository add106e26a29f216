import type { Db, Tx } from "../../platform/database/database.ts";

/** A job queue that is paused: no worker is granted its jobs until then. */
export interface QueuePause {
  readonly queue: string;
  readonly until: Date;
}

/** Returns the pauses in effect now. */
export async function queuePauses(db: Db): Promise<readonly QueuePause[]> {
  return db<QueuePause[]>`select queue, until from queue_pauses where until > now() order by queue`;
}

export async function isQueuePaused(db: Db, queue: string): Promise<boolean> {
  const rows = await db`select 1 from queue_pauses where queue = ${queue} and until > now()`;
  return rows.length > 0;
}

/** @returns the previous pause if one was in effect */
export async function pauseQueue(tx: Tx, { queue, until }: QueuePause): Promise<QueuePause | undefined> {
  const [before] = await tx<QueuePause[]>`
    select queue, until from queue_pauses where queue = ${queue} and until > now() for update`;
  await tx`
    insert into queue_pauses (queue, until) values (${queue}, ${until})
    on conflict (queue, community_id) do update set until = excluded.until`;
  return before;
}

/** @returns the pause that was ended; undefined if none was in effect */
export async function resumeQueue(tx: Tx, queue: string): Promise<QueuePause | undefined> {
  const [pause] = await tx<QueuePause[]>`
    delete from queue_pauses where queue = ${queue} and until > now() returning queue, until`;
  return pause;
}
