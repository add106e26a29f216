import type { Entry } from "../../platform/database/change.ts";
import type { Db } from "../../platform/database/database.ts";
import { removeOldTries } from "../../platform/database/rate-limits.store.ts";
import { phoneTarget, type HomeCountry } from "../users/phone-numbers.ts";

/** Deletes attempts and codes that no limit needs. */
export async function forgetOldTries(db: Db): Promise<void> {
  await removeOldTries(db);
  await db`delete from login_codes where expires_at < now()`;
}

/**
 * Returns a function that deletes short-lived sign-in data of a user who is being purged: codes, undelivered codes and
 * rate limits. Call it before the user's row is deleted.
 */
export function forgetSignIn(country?: HomeCountry) {
  return async (db: Db, userId: string): Promise<readonly Entry[]> => {
    const [user] = await db<{ email: string; phone: string; unconfirmed_address: string }[]>`
      select email, phone, unconfirmed_address from users where id = ${userId}`;
    const targets = user
      ? [user.email.toLowerCase(), phoneTarget(user.phone, country), user.unconfirmed_address].filter(
          (text) => text !== "",
        )
      : [];
    await db`
      with known as (select unnest(${targets}::text[]) as target),
      codes as (delete from login_codes where target in (select target from known)),
      on_their_way as (delete from outgoing_codes where target in (select target from known))
      delete from rate_limits using known where target = any(string_to_array(key, ' '))`;
    return [];
  };
}
