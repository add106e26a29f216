import type { Db } from "./database.ts";

/** Length of the window in which attempts of a key are counted, minutes. */
export const WINDOW_MINUTES = 15;

/** Also true for a window that starts in the future after the clock was set back. */
const isOver = (db: Db) => db`
  (rate_limits.window_start <= now() - make_interval(mins => ${WINDOW_MINUTES})
    or rate_limits.window_start > now() + interval '1 minute')`;

/** Number of attempts since the start of the window. */
export interface Tries {
  readonly count: number;
  /** Seconds until the count is reset; 0 if nothing is counted. */
  readonly secondsLeft: number;
}

const secondsLeft = (db: Db) => db`
  ceil(extract(epoch from rate_limits.window_start + make_interval(mins => ${WINDOW_MINUTES}) - now()))::int`;

export async function readTries(db: Db, key: string): Promise<Tries> {
  const [row] = await db<{ count: number; seconds_left: number }[]>`
    select count, ${secondsLeft(db)} as seconds_left from rate_limits where key = ${key} and not ${isOver(db)}`;
  return { count: row?.count ?? 0, secondsLeft: row?.seconds_left ?? 0 };
}

/**
 * Counts one more attempt of each key. Locks the rows of the keys until the transaction ends, which serializes
 * concurrent counts.
 * @param keys in the same order everywhere, to prevent deadlocks
 * @returns counts by key, including this attempt
 */
export async function countTries(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, Tries>> {
  const rows = await db<{ key: string; count: number; seconds_left: number }[]>`
    insert into rate_limits (key, count, window_start) select key, 1, now() from unnest(${keys as string[]}::text[]) key
    on conflict (key, community_id) do update set
      count = case when ${isOver(db)} then 1 else rate_limits.count + 1 end,
      window_start = case when ${isOver(db)} then now() else rate_limits.window_start end
    returning key, count, ${secondsLeft(db)} as seconds_left`;
  return new Map(rows.map(({ key, count, seconds_left }) => [key, { count, secondsLeft: seconds_left }]));
}

/** Deletes expired counts. */
export async function removeOldTries(db: Db): Promise<void> {
  await db`delete from rate_limits where ${isOver(db)}`;
}
