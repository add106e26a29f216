import type { Db } from "./database.ts";

/** Length of the window in which tries of a key are counted. */
export const WINDOW_MINUTES = 15;

/** Also true for a window that begins in the future: the clock was set back. */
const isOver = (db: Db) => db`
  (rate_limits.window_start <= now() - make_interval(mins => ${WINDOW_MINUTES})
    or rate_limits.window_start > now() + interval '1 minute')`;

/** How often something was tried since its window began. */
export interface Tries {
  readonly count: number;
  /** Until it is forgotten; 0 where nothing is counted. */
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
 * Counts one more try of each key. A key's row is held until the transaction ends: those who count it at once are counted
 * one after the other.
 * @param keys in one order everywhere, so that no two transactions wait for each other
 * @returns by key, this try included
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

/** Deletes counts that no limit needs any more. */
export async function removeOldTries(db: Db): Promise<void> {
  await db`delete from rate_limits where ${isOver(db)}`;
}
