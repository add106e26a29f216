import type { Entry } from "../platform/change.ts";
import type { Db } from "../platform/database.ts";
import { removeOldTries } from "../platform/rate-limits.store.ts";

/** Deletes attempts and codes that no limit needs. */
export async function forgetOldTries(db: Db): Promise<void> {
  await removeOldTries(db);
  await db`delete from login_codes where expires_at < now()`;
}

/**
 * Deletes short-lived sign-in data of a user who is being purged: codes, undelivered codes and rate limits. Call it
 * before the user's row is deleted.
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
