import type { Entry } from "../platform/change.ts";
import type { Db } from "../platform/database.ts";

const WINDOW_MINUTES = 15;

/** A window that begins in the future is over as well: the clock was set back, and no call shall wait for it to come. */
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

/** Clears away tries and codes that no limit needs any more. */
export async function forgetOldTries(db: Db): Promise<void> {
  await db`delete from rate_limits where ${isOver(db)}`;
  await db`delete from login_codes where expires_at < now()`;
}

/**
 * Takes a person who is purged out of what is kept for minutes: codes, those on their way, and how often they were
 * asked for. To be done before their row goes.
 */
export async function forgetSignIn(db: Db, userId: string): Promise<readonly Entry[]> {
  await db`
    with known as (
      select unnest(array[lower(nullif(email, '')), nullif(phone_digits, '')]) as target from users where id = ${userId}
    ), codes as (delete from login_codes where target in (select target from known)),
    on_their_way as (delete from outgoing_codes where target in (select target from known))
    delete from rate_limits using known where target = any(string_to_array(key, ' '))`;
  return [];
}
